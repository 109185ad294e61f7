import { readFile } from 'node:fs/promises';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, open, startBoth, test } from './support/board-fixtures.js';

const SOURCES = '/api/v1/logs/sources';
/** More than the tab reads of a container. */
const LINES = 220;

test('searches the stored lines of a workload, also of deleted Pods, in its tab', async ({ page }) => {
  test.slow();
  const product = await startBoth({ APP_DEMO_SPEED: '400' });
  await product.createCluster('staging');
  const web = async (): Promise<LogSourceDto[]> => {
    const response = await page.request.get(`${product.origin}${SOURCES}`);
    const all = (await response.json()) as LogSourceDto[];
    return all.filter(({ workload }) => workload === 'Deployment/web');
  };
  await expect
    .poll(async () => (await web()).filter(({ next_seq }) => next_seq > LINES).length, { timeout: 120_000 })
    .toBe(3);
  const deleted = (await web())[0]?.name ?? '';
  const pods = `${product.origin}/api/v1/clusters/staging/resources/core/v1/pods`;
  expect((await page.request.delete(`${pods}/${deleted}?namespace=shop`)).ok()).toBe(true);
  await expect.poll(async () => (await web()).filter(({ state }) => state === 'gone').length).toBe(1);

  await open(
    page,
    `${product.origin}/cluster/staging/resources/apps/v1/deployments?runtime=demo&namespace=shop&object=shop%2Fweb&part=logs`,
  );
  const panel = page.getByRole('region', { name: 'web' });
  const log = panel.getByRole('grid', { name: 'Log of all Pods' });
  const search = panel.getByRole('searchbox', { name: 'Search' });
  const shown = panel.locator('sw-line-list .from');
  await expect(log.getByRole('row').first()).toBeVisible();
  await expect(panel.getByRole('slider', { name: 'Line histogram' })).toBeVisible();

  // The lines of a start are older than those that the cluster sends.
  await search.fill('"start worker process"');
  await search.press('Enter');
  await expect(panel.getByText('All stored lines were searched.')).toBeVisible();
  await log.press('Home');
  await expect(shown.and(page.locator(`[title^="${deleted}"]`)).first()).toBeVisible();
  await expect(page).toHaveURL(/[?&]log=q%3Dstart/);
  await page.reload();
  await expect(panel.getByText('All stored lines were searched.')).toBeVisible();
  await log.press('Home');
  await expect(shown.and(page.locator(`[title^="${deleted}"]`)).first()).toBeVisible();
  const file = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('menuitem', { name: 'Download stored lines' }).click();
  const saved = await readFile(await (await file).path(), 'utf8');
  expect(saved).toContain(deleted);
  for (const line of saved.trimEnd().split('\n')) expect(line).toContain('start worker process');
  await search.fill('');
  await search.press('Enter');
  await expect(page).not.toHaveURL(/[?&]log=/);

  // Older lines come with the first row.
  await log.press('Home');
  await expect(async () => {
    await log.press('Home');
    await expect(panel.getByText('All stored lines were searched.')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await log.press('Home');
  const times = await log.getByRole('row').locator('time').allTextContents();
  expect(times).toEqual([...times].sort());

  const histogram = panel.getByRole('slider', { name: 'Line histogram' });
  await histogram.press('Home');
  await histogram.press('Enter');
  await expect(page).toHaveURL(/[?&]log=from%3D/);
  await expect(log.getByRole('row').first()).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/[?&]log=/);

  await panel.getByRole('button', { name: 'Patterns' }).click();
  const pattern = panel.getByRole('button', { name: /^Only lines like/ }).first();
  await pattern.click();
  await expect(page).toHaveURL(/[?&]log=q%3D/);
  await expect(log.getByRole('row').first()).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(log).toBeAttached();
      await expectNoOverflow(page);
      await expectAccessible(page, 'sw-workload-logs');
    }
  }
  await page.close();
  await product.stop();
});
