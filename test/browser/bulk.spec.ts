import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.js';
import type { Product } from './support/product.js';

const NAMES = ['alpha', 'beta', 'delta', 'gamma'];

async function withClusters(product: Product, names = NAMES): Promise<void> {
  await Promise.all(names.map((name) => product.createCluster(name)));
}

function box(page: Page, name: string): ReturnType<Page['getByRole']> {
  return page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
}

test('stops, starts and deletes several clusters and shows each result', async ({ page, product }) => {
  await withClusters(product);
  await product.call('POST', '/clusters/delta/stop');
  await page.goto('/clusters?sort=name');
  await expect(page.getByRole('row', { name: /delta/ })).toContainText('Stopped');
  const bar = page.getByRole('group', { name: 'Selected clusters' });
  await box(page, 'alpha').click();
  await box(page, 'delta').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 clusters selected');

  await bar.getByRole('button', { name: 'Stop 2 of 3' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: '2 clusters stopped' })).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'delta' })).toContainText('Skipped: stopped');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole('row', { name: /alpha/ })).toContainText('Stopped');

  await page.getByRole('checkbox', { name: 'Select all shown clusters' }).click();
  await expect(bar).toContainText('4 clusters selected');
  await bar.getByRole('button', { name: 'Start 3 of 4' }).click();
  await expect(dialog.getByRole('heading', { name: '3 clusters started' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await box(page, 'beta').click();
  await box(page, 'gamma').click();
  await bar.getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete 2 clusters?' });
  await expect(question).toContainText('beta: 2 containers in demo');
  await expect(question).toContainText('gamma: 2 containers in demo');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(bar).toContainText('2 clusters selected');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete 2 clusters' }).click();
  await expect(dialog.getByRole('heading', { name: '2 clusters deleted' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('sw-cluster-row')).toHaveCount(2);
  // The next row after the deleted one.
  await expect(page.getByRole('row', { name: /delta/ })).toBeFocused();
});

test('moves, selects and opens rows with the keyboard alone', async ({ page, product }) => {
  await withClusters(product);
  await page.goto('/clusters?sort=name');
  const row = (name: string): ReturnType<Page['getByRole']> =>
    page.getByRole('row', { name: new RegExp(`\\b${name}\\b`) });
  await expect(row('gamma')).toBeVisible();
  await row('alpha').focus();
  await page.keyboard.press('ArrowDown');
  await expect(row('beta')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(row('beta')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  const bar = page.getByRole('group', { name: 'Selected clusters' });
  await expect(bar).toContainText('3 clusters selected');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(bar).toContainText('4 clusters selected');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
  await page.keyboard.press('Home');
  await expect(row('alpha')).toBeFocused();
  // The list has one tab stop; the controls of that row follow.
  await expect(box(page, 'alpha')).toHaveAttribute('tabindex', '0');
  await page.keyboard.press('Tab');
  await expect(box(page, 'alpha')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('link', { name: 'alpha' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cluster\/beta/);
});

test('restores scroll position, focus and selection when returning to the list', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await withClusters(product);
  await page.goto('/clusters?sort=name');
  await box(page, 'gamma').click();
  const row = page.getByRole('row', { name: /gamma\b/ });
  const top = async (): Promise<number> => (await row.boundingBox())?.y ?? Number.NaN;
  // Clear of the bar, so that the click on it does not scroll. The page is higher with the bar.
  await expect(page.getByRole('group', { name: 'Selected clusters' })).toBeVisible();
  // Rows are higher once problems are found.
  await expect(page.getByRole('row').filter({ hasText: '3 workloads do not work' })).toHaveCount(4);
  await page.evaluate('window.scrollTo(0, 300)');
  const before = await top();
  await row.getByRole('link', { name: 'gamma' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'gamma' })).toBeVisible();
  for (const back of ['history', 'breadcrumb'] as const) {
    if (back === 'history') await page.goBack();
    else {
      await row.getByRole('link', { name: 'gamma' }).click();
      await page
        .getByRole('navigation', { name: 'Breadcrumbs' })
        .getByRole('link', { name: 'Clusters' })
        .click();
    }
    await expect(page).toHaveURL(/\/clusters\?sort=name$/);
    await expect(row).toBeFocused();
    await expect(row).toHaveAttribute('aria-selected', 'true');
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(4);
  }
});
