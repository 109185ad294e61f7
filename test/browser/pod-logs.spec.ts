import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const PODS = '/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop';

/** Opens the log of the Pod whose name starts with `name`. */
async function openLog(page: Page, name: string): Promise<Locator> {
  await page.goto(PODS);
  await page
    .getByRole('grid', { name: 'Pods of staging' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  const panel = page.getByRole('region', { name: new RegExp(`^${name}`) });
  await panel.getByRole('tab', { name: 'Logs' }).click();
  return panel;
}

/** An entry of the menu with the options of the log. */
async function choose(page: Page, role: 'menuitem' | 'menuitemcheckbox', name: string): Promise<void> {
  await page.locator('sw-log-pane').getByRole('button', { name: 'Options' }).click();
  await page.getByRole(role, { name }).click();
}

test('shows and follows the log of a Pod beside the table, without a sign-in', async ({ page, product }) => {
  await product.createCluster('staging');
  const panel = await openLog(page, 'postgres-0');
  const log = panel.getByRole('grid', { name: 'Log of postgres' });
  await expect(log.getByRole('row').first()).toBeVisible();
  const count = async (): Promise<number> => Number(await log.getAttribute('aria-rowcount'));
  const before = await count();
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before);
  await expect(page).toHaveURL(/part=logs/);
  await page.reload();
  await expect(log.getByRole('row').first()).toBeVisible();
  await choose(page, 'menuitemcheckbox', 'Wrap long lines');
  await expect(panel.locator('sw-line-list')).toHaveClass(/\bwrapped\b/);
});

test('shows the logs of init containers and of crashed containers', async ({ page, product, guard }) => {
  guard.expect(/409 \(Conflict\) \(.*\/reports-.*\/logs\?/);
  await product.createCluster('staging');
  const ledger = await openLog(page, 'ledger-');
  await expect(ledger.getByRole('grid', { name: 'Log of ledger' }).getByRole('row').first()).toBeVisible();
  await ledger.getByRole('combobox', { name: 'Container' }).selectOption({ label: 'migrate (init)' });
  await expect(ledger.getByRole('grid', { name: 'Log of migrate' }).getByRole('row').first()).toBeVisible();
  await expect(ledger.getByText('The container has terminated.')).toBeVisible();

  const mailer = await openLog(page, 'mailer-');
  await mailer.getByRole('checkbox', { name: 'Previous instance' }).check();
  await expect(mailer.getByText('SMTP_HOST is not set').first()).toBeVisible();
  await expect(mailer.getByText('This instance has terminated.')).toBeVisible();

  const reports = await openLog(page, 'reports-');
  await expect(reports.getByRole('heading', { name: 'Could not load the log' })).toBeVisible();
  await expect(reports.getByText(/waiting to start/)).toBeVisible();
});

/** Opens the log of all Pods of a Deployment. */
async function openWorkload(page: Page, name: string): Promise<{ panel: Locator; log: Locator }> {
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&namespace=shop');
  await page.getByRole('grid', { name: 'Deployments of staging' }).getByRole('link', { name }).click();
  const panel = page.getByRole('region', { name });
  await panel.getByRole('tab', { name: 'Logs' }).click();
  return { panel, log: panel.getByRole('grid', { name: 'Log of all Pods' }) };
}

/** The names of the Pods in the rows. */
async function shownPods(page: Page): Promise<string[]> {
  const titles = await page.evaluate<string[]>(
    `[...document.querySelectorAll('sw-line-list .from')].map(({ title }) => title)`,
  );
  return [...new Set(titles)];
}

test('merges the Pods of a workload, with new ones, and keeps the lines of deleted ones', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  const { panel, log } = await openWorkload(page, 'web');
  await expect.poll(async () => (await shownPods(page)).length).toBe(3);
  const times = await log.getByRole('row').locator('time').allTextContents();
  expect(times).toEqual([...times].sort());
  await log.press('Home');
  const [deleted = ''] = await shownPods(page);
  const pod = deleted.split('/')[0] ?? '';
  const pods = '/api/v1/clusters/staging/resources/core/v1/pods';
  expect((await page.request.delete(`${pods}/${pod}?namespace=shop`)).ok()).toBe(true);
  const choice = panel.getByRole('combobox', { name: 'Pod' });
  await expect(choice.getByRole('option', { name: pod })).toHaveCount(0);
  await expect.poll(async () => await shownPods(page)).toContain(deleted);
  await log.press('End');
  await expect.poll(async () => (await shownPods(page)).length).toBe(3);
  await expect.poll(async () => await shownPods(page)).not.toContain(deleted);
  const other = (await shownPods(page))[0]?.split('/')[0] ?? '';
  await choice.selectOption(other);
  await expect(panel.getByRole('grid', { name: 'Log of web' }).getByRole('row').first()).toBeVisible();
  await choice.selectOption('');
  await log.press('Home');
  await expect.poll(async () => await shownPods(page)).toContain(deleted);
});

test('searches and filters the log with the keyboard, pauses it and downloads it', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  const { panel, log } = await openWorkload(page, 'web');
  await log.focus();
  await page.keyboard.press('/');
  const search = panel.getByRole('searchbox', { name: 'Search' });
  await expect(search).toBeFocused();
  await page.keyboard.type('CART');
  await page.keyboard.press('Enter');
  await expect(panel.getByText(/^[\d,]+ of [\d,]+ lines$/)).toBeVisible();
  await expect(log.locator('mark').first()).toHaveText('cart');
  await expect(log.locator('.m').filter({ hasNotText: 'cart' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(log).toBeFocused();
  // A wrapped list pauses only if it is longer than its view.
  const rows = async (): Promise<number> => Number(await log.getAttribute('aria-rowcount'));
  await expect.poll(rows, { timeout: 60_000 }).toBeGreaterThan(20);
  await panel.getByRole('button', { name: 'Following' }).click();
  await expect(panel.getByRole('button', { name: /^Paused, \d+ new$/ })).toBeVisible({ timeout: 30_000 });
  await panel.getByRole('button', { name: /^Paused/ }).click();
  await expect(panel.getByRole('button', { name: 'Following' })).toBeVisible();
  await expectAccessible(page, 'sw-workload-logs');

  const file = page.waitForEvent('download');
  await choose(page, 'menuitem', 'Download as text');
  expect((await file).suggestedFilename()).toBe('web.log');
  const saved = (await readFile(await (await file).path(), 'utf8')).trimEnd().split('\n');
  for (const line of saved) expect(line).toMatch(/^\S+Z web-\S+\/web .*cart/);

  await search.fill('nothing has this');
  await search.press('Enter');
  await expect(panel.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await panel.getByRole('button', { name: 'Clear filter' }).click();
  await expect(search).toBeFocused();
  await search.fill('level>=error');
  await expect(panel.getByText('level >= error')).toBeVisible();
  await search.press('Enter');
  await expect(log.getByRole('row').first()).toContainText('ERR');
  await choose(page, 'menuitemcheckbox', 'Timestamps');
  await expect(log.locator('time')).toHaveCount(0);
  await choose(page, 'menuitemcheckbox', 'Timestamps');
  await expect(log.locator('time').first()).toBeVisible();
  await search.fill('zz-nothing');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(panel).toBeVisible();
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(log.getByRole('row').first()).toBeVisible();
    await expectNoOverflow(page);
  }
});

test('completes a query from the lines, and filters by the fields of a line', async ({ page, product }) => {
  await product.createCluster('staging');
  const { panel, log } = await openWorkload(page, 'web');
  await expect(log.getByRole('row').first()).toBeVisible();
  const search = panel.getByRole('searchbox', { name: 'Search' });
  await search.pressSequentially('/GET|POST/ meth');
  await page.getByRole('option', { name: /^method/ }).click();
  await page.getByRole('option', { name: /^GET/ }).click();
  await search.press('Enter');
  await expect(panel.getByRole('button', { name: 'Remove: method:GET' })).toBeVisible();
  await log.getByRole('row').first().click();
  await panel.getByRole('button', { name: 'Only lines with this path' }).click();
  const remove = panel.getByRole('button', { name: /^Remove: path = / });
  await expect(remove).toBeVisible();
  await expect(log.getByRole('row').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'fatal' }).click();
  await page.keyboard.press('Escape');
  await expect(panel.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await expect(panel.getByText(/^Without level fatal: [\d,]+ lines?\.$/)).toBeVisible();
  await panel.getByRole('button', { name: 'Search without it' }).click();
  await expect(panel.getByRole('button', { name: 'Remove: level fatal' })).toHaveCount(0);
  await remove.click();
  await expect(log.getByRole('row').first()).toBeVisible();
});

test('merges the runs of a CronJob', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/batch/v1/cronjobs?runtime=demo&namespace=shop');
  await page
    .getByRole('grid', { name: 'CronJobs of staging' })
    .getByRole('link', { name: 'nightly-totals' })
    .click();
  const panel = page.getByRole('region', { name: 'nightly-totals' });
  await panel.getByRole('tab', { name: 'Logs' }).click();
  await expect(panel.getByRole('grid', { name: 'Log of all Pods' }).getByRole('row').first()).toBeVisible();
  await expect(panel.getByRole('option', { name: /^nightly-totals-\d+-/ }).first()).toBeAttached();
});

test('says what a workload without lines waits for', async ({ page, product }) => {
  await product.createCluster('staging');
  const { panel } = await openWorkload(page, 'reports');
  await expect(panel.getByText(/^reports-.*ImagePull/)).toBeVisible();
  await expect(panel.getByRole('heading', { name: 'No log lines' })).toBeVisible();
  const path = '/api/v1/clusters/staging/resources/apps/v1/deployments/reports/scale?namespace=shop';
  expect((await page.request.post(path, { data: { replicas: 0 } })).ok()).toBe(true);
  await expect(panel.getByRole('heading', { name: 'No Pods' })).toBeVisible();
});
