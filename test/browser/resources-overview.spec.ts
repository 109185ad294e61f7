import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const PODS = '/cluster/staging/resources/core/v1/pods?runtime=demo';

test('counts each kind on the cluster page, finds names, and links to the table of a kind', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging?runtime=demo');
  await expect(page.getByText(/2 of 2 nodes and \d+ of \d+ pods ready\./)).toBeVisible();
  const pods = page.locator('sw-resource-card').first();
  await expect(pods.getByRole('list', { name: 'Pods' }).getByRole('link').first()).toContainText('Failed');
  await expect(page.getByRole('list', { name: 'Other kinds' }).getByRole('listitem')).not.toHaveCount(0);
  const find = page.getByRole('searchbox', { name: 'Find objects of any kind by name' });
  await find.fill('postgres');
  await expect(page.getByRole('link', { name: 'postgres-credentials shop' })).toBeVisible();
  await find.press('Escape');
  await pods.getByRole('link', { name: /View all \d+ Pods/ }).click();
  await expect(page).toHaveURL(/\/cluster\/staging\/resources\/core\/v1\/pods/);
  await expect(page.getByRole('row', { name: /postgres-0/ })).toContainText('Running');
});

test('restarts a Pod from the cluster page', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging?runtime=demo');
  await page
    .getByRole('button', { name: /^Restart mailer-/ })
    .first()
    .click();
  const question = page.getByRole('alertdialog', { name: /^Restart mailer-/ });
  await question.getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText(/^Restarted mailer-/)).toBeVisible();
});

test('keeps namespace and filter of a table in the URL, and shows when nothing matches', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await page.goto(PODS);
  const grid = page.getByRole('grid', { name: 'Pods of staging' });
  await expect(grid.getByRole('row', { name: /coredns/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Namespaces: All namespaces' }).click();
  await page.getByRole('checkbox', { name: 'shop' }).check();
  await page.getByRole('checkbox', { name: 'default' }).check();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/namespace=default,shop/);
  await expect(grid.getByRole('row', { name: /coredns/ })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Kinds' }).getByRole('link', { name: 'Services' }).click();
  await expect(page).toHaveURL(/\/services\?runtime=demo&namespace=default(,|%2C)shop/);
  await page.goto(PODS);
  await expect(page).toHaveURL(/namespace=default,shop/);
  await grid.getByRole('button', { name: 'Status' }).click();
  await expect(grid.getByRole('columnheader', { name: 'Status' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('searchbox').fill('no-such-pod');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(grid.getByRole('row', { name: /coredns/ }).first()).toBeVisible();
});

test('reaches the filter, rows, object panel and its tabs by keyboard only', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto(PODS);
  const grid = page.getByRole('grid', { name: 'Pods of staging' });
  await expect(grid.getByRole('row', { name: /postgres-0/ })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('web');
  await expect(page).toHaveURL(/filter=web/);
  await expect(page.getByRole('status').filter({ hasText: /^3 of \d+$/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(grid).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: /^web-/ });
  await expect(panel.getByRole('heading', { name: /^web-/ })).toBeFocused();
  await expect(panel.getByRole('link', { name: /^web-[0-9a-f]+$/ })).toBeVisible();
  await panel.getByRole('tab', { name: 'Details' }).press('ArrowLeft');
  await expect(panel.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await panel.getByRole('tab', { name: 'Logs' }).press('ArrowLeft');
  await expect(panel.getByRole('tab', { name: 'Events' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel.getByText('Scheduled').or(panel.getByText('No events')).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(grid).toBeFocused();
});
