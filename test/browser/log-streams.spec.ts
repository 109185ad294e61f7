import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test('a stream can be selected in the menu or typed, and is in the address', async ({ page }) => {
  const logs = new ScriptedLogs();
  const shop = logs.add({ name: 'shop' }, 40);
  shop.stream = (seq) => (seq % 2 === 0 ? 'stderr' : 'stdout');
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop');
  const line = (seq: number): ReturnType<typeof page.getByText> =>
    page.getByText(`line ${seq} of shop`, { exact: true });
  await expect(line(39)).toBeVisible();
  await page.getByRole('button', { name: 'Filter' }).click();
  const choice = page
    .getByRole('group', { name: 'Streams' })
    .getByRole('menuitemcheckbox', { name: 'stderr' });
  await choice.click();
  await expect(page).toHaveURL(/stream=stderr/);
  await expect(line(40)).toBeVisible();
  await expect(line(39)).toHaveCount(0);
  await page.reload();
  await expect(line(40)).toBeVisible();
  await expect(line(39)).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search' }).fill('stream:stdout');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/stream=stdout/);
  await expect(line(39)).toBeVisible();
  await expect(line(40)).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove: stream stdout' }).click();
  await expect(page).not.toHaveURL(/stream=/);
  await expect(line(40)).toBeVisible();
});
