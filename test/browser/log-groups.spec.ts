import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test('a very large group follows its live sources, and says if some are left out', async ({ page }) => {
  const logs = new ScriptedLogs();
  const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Job/import' } as const;
  const gone = Array.from({ length: 1500 }, (_, index) =>
    logs.add({ ...pod, key: `pod/docker/dev/${index}/import`, name: `import-${index}`, state: 'gone' }, 1),
  );
  const live = logs.add({ ...pod, key: 'pod/docker/dev/live/import', name: 'import-live' }, 40);
  await logs.serve(page);
  await open(page, '/logs?cluster=dev');
  await expect(page.getByText('line 40 of import-live')).toBeVisible();
  logs.write(live, 2);
  await expect(page.getByText('line 42 of import-live')).toBeInViewport();
  const notice = page.getByText('show no new lines');
  await expect(notice).toHaveCount(0);
  // A source that is live again is followed, including its lines in between.
  const [back] = gone;
  if (!back) throw new Error('none is gone');
  back.count = 60;
  logs.change(back, { state: 'live' });
  await expect(page.getByText('line 60 of import-0')).toBeInViewport();
  logs.write(back, 1);
  await expect(page.getByText('line 61 of import-0')).toBeInViewport();
  for (const source of gone.slice(0, 1004)) source.more.state = 'live';
  await page.reload();
  await expect(notice).toContainText('5 of 1,501 sources show no new lines');
  const tree = page.getByRole('tree', { name: 'Sources' });
  await page.getByRole('button', { name: 'Hide deleted sources' }).click();
  await expect(page.getByText('496 deleted, hidden')).toBeVisible();
  await page.reload();
  await expect(page.getByText('496 deleted, hidden')).toBeVisible();
  await expect(tree.getByRole('treeitem', { name: 'dev', exact: true })).toBeVisible();
});

/** The text of the first visible row, and its pixels above the edge. */
const FIRST_SEEN = `(() => {
  const { top } = document.querySelector('[role=grid]')?.getBoundingClientRect() ?? {};
  const rows = [...document.querySelectorAll('.ll')].map((row) => [row, row.getBoundingClientRect()]);
  const [row, box] = rows.find(([, { bottom }]) => bottom > top) ?? [];
  return row ? [row.querySelector('.m').textContent, Math.round(top - box.top)] : null;
})()`;

test('older lines of a group stay in place when a pod is added', async ({ page }) => {
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

test('too many sources show a message, and fewer are shown', async ({ page }) => {
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
  await page.goto('/logs?cluster=dev&namespace=shop&q=line');
  await expect(page.locator('.ll')).toHaveCount(3);
});
