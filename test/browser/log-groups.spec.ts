import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

/** The text of the first visible row, and its pixels above the edge. */
const FIRST_SEEN = `(() => {
  const { top } = document.querySelector('[role=grid]')?.getBoundingClientRect() ?? {};
  const rows = [...document.querySelectorAll('.ll')].map((row) => [row, row.getBoundingClientRect()]);
  const [row, box] = rows.find(([, { bottom }]) => bottom > top) ?? [];
  return row ? [row.querySelector('.m').textContent, Math.round(top - box.top)] : null;
})()`;

test('keeps older lines of a group in place when a Pod is added', async ({ page }) => {
  const logs = new ScriptedLogs();
  const add = (name: string, count: number): ReturnType<typeof logs.add> => {
    const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/web' } as const;
    return logs.add({ ...pod, key: `pod/docker/dev/${name}/main`, name }, count);
  };
  add('web-a', 9000);
  await logs.serve(page);
  await open(page, '/logs?cluster=dev');
  await expect(page.getByText('line 9000 of web-a')).toBeVisible();
  const lines = page.getByRole('grid', { name: 'Lines' });
  await lines.focus();
  await page.keyboard.press('Home');
  await expect(page.getByText('line 1 of web-a')).toBeVisible();
  await page.mouse.move(700, 400);
  await page.mouse.wheel(0, 30_007);
  const seen = async (): Promise<unknown> => await page.evaluate(FIRST_SEEN);
  await expect.poll(seen).toEqual([expect.stringMatching(/^line 1\d\d\d of web-a$/), expect.any(Number)]);
  const before = await seen();
  logs.change(add('web-b', 4000), {});
  await expect(page.getByText('of web-b').first()).toBeAttached();
  await expect.poll(seen).toEqual(before);
  await expect(lines).toBeFocused();
  // At the end, new lines are followed.
  await page.keyboard.press('End');
  logs.change(add('web-c', 9002), {});
  await expect(page.getByText('line 9002 of web-c')).toBeInViewport();
});

test('shows a message for too many sources', async ({ page }) => {
  const logs = new ScriptedLogs();
  for (let index = 0; index < 4400; index += 1) {
    const namespace = index < 3 ? 'shop' : 'jobs';
    const more = { kind: 'pod', cluster: 'dev', namespace, workload: 'Job/import', state: 'gone' } as const;
    logs.add({ ...more, key: `pod/docker/dev/${index}/import`, name: `import-${index}` }, 1);
  }
  await logs.serve(page);
  await open(page, '/logs?cluster=dev&q=line');
  await expect(page.getByRole('heading', { name: 'Too many sources' })).toBeVisible();
  await expect(page.getByText('4,400 sources are selected')).toBeVisible();
  await page.keyboard.press('n');
  expect(logs.asked).toEqual([]);
});
