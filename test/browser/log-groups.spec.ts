import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

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
  expect(logs.requests).toEqual([]);
});
