import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { changeClusters } from './support/changed-clusters.js';
import { expect, test } from './support/fixtures.js';
import type { Product } from './support/product.js';

const NAMES = ['alpha', 'beta', 'delta', 'gamma'];

async function withClusters(product: Product, names = NAMES): Promise<void> {
  for (const name of names) await product.createCluster(name);
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
  await expectAccessible(page);
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
  await expect(page.getByRole('row', { name: /alpha/ })).toBeFocused();
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

test('keeps order and filter in the URL across a reload', async ({ page, product }) => {
  await withClusters(product, ['alpha', 'beta']);
  const names = page.locator('sw-cluster-row .name a');
  await page.goto('/clusters');
  await page.getByRole('button', { name: /^Sort by Age/ }).click();
  await expect(page).toHaveURL(/sort=age$/);
  await expect(names).toHaveText(['beta', 'alpha']);
  await page.getByRole('button', { name: /^Sort by Age/ }).click();
  await expect(page).toHaveURL(/sort=-age$/);
  await expect(names).toHaveText(['alpha', 'beta']);
  await page.getByRole('button', { name: /^Running/ }).click();
  await page.getByRole('searchbox').fill('alp');
  await expect(page).toHaveURL(/show=running/);
  await page.reload();
  await expect(names).toHaveText(['alpha']);
  await expect(page.getByRole('searchbox')).toHaveValue('alp');
  await expect(page.getByRole('button', { name: /^Running/ })).toHaveAttribute('aria-pressed', 'true');
});

test('the list’s place is kept while one looks at a cluster', async ({ page, product }) => {
  const many = Array.from({ length: 14 }, (_, index) => `cluster-${index + 1}`);
  await withClusters(product, many);
  await page.goto('/clusters?sort=name');
  await box(page, 'cluster-9').click();
  const row = page.getByRole('row', { name: /cluster-9\b/ });
  const top = async (): Promise<number> => (await row.boundingBox())?.y ?? Number.NaN;
  // Clear of the bar, so that the click on it does not scroll.
  await page.evaluate('window.scrollTo(0, 300)');
  const before = await top();
  await row.getByRole('link', { name: 'cluster-9' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'cluster-9' })).toBeVisible();
  for (const back of ['history', 'crumb', 'config'] as const) {
    if (back === 'history') await page.goBack();
    else {
      await row.getByRole('link', { name: 'cluster-9' }).click();
      if (back === 'config') await page.getByRole('link', { name: 'Config', exact: true }).click();
      await page
        .getByRole('navigation', { name: 'Breadcrumbs' })
        .getByRole('link', { name: 'Clusters' })
        .click();
    }
    await expect(page).toHaveURL(/\/clusters\?sort=name$/);
    await expect(row).toBeFocused();
    await expect(row).toHaveAttribute('aria-selected', 'true');
    expect(Math.abs((await top()) - before)).toBeLessThan(4);
  }
});

test('offers to start some or all clusters that stopped with the host', async ({ page, product }) => {
  await withClusters(product, ['alpha', 'beta', 'gamma']);
  for (const name of ['alpha', 'beta', 'gamma']) {
    await product.call('POST', `/clusters/${name}/stop`);
    await expect
      .poll(async () => (await product.call<{ state: string }>('GET', `/clusters/${name}`)).state)
      .toBe('stopped');
  }
  await changeClusters(page, (rows) =>
    rows.map((row) => ({ ...row, stopped_unexpectedly: row.state === 'stopped' })),
  );
  await page.goto('/clusters');
  const offer = page.getByRole('note').filter({ hasText: '3 clusters stopped unexpectedly.' });
  await expect(offer).toContainText('alpha, beta, gamma ran until the host or the engine stopped.');
  await offer.getByRole('button', { name: 'Choose' }).click();
  await offer.getByRole('checkbox', { name: /beta/ }).uncheck();
  await offer.getByRole('button', { name: 'Start 2 of 3' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: '2 clusters started' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const rest = page.getByRole('note').filter({ hasText: '1 cluster stopped unexpectedly.' });
  await rest.getByRole('button', { name: 'Dismiss' }).click();
  await expect(rest).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row', { name: /beta/ })).toContainText('Stopped');
  await expect(rest).toHaveCount(0);
});

test.describe('failing starts', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '2', APP_DEMO_FAILURES: 'start' } });

  test('runs in the background and links to the failed jobs', async ({ page, product }) => {
    await withClusters(product, ['alpha', 'beta']);
    await page.goto('/clusters');
    await page.getByRole('checkbox', { name: 'Select all shown clusters' }).click();
    const bar = page.getByRole('group', { name: 'Selected clusters' });
    await bar.getByRole('button', { name: 'Stop' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('heading', { name: '2 clusters stopped' })).toBeVisible({
      timeout: 30_000,
    });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('checkbox', { name: 'Select all shown clusters' }).click();
    await bar.getByRole('button', { name: 'Start' }).click();
    await dialog.getByRole('button', { name: 'Run in background' }).click();
    const message = page.getByRole('log', { name: 'Messages' });
    await expect(message).toContainText('0 of 2 clusters started, 2 failed.', { timeout: 30_000 });
    await message.getByRole('button', { name: 'Details' }).click();
    await expect(dialog.getByRole('listitem').first()).toContainText('The demo fails here');
    await dialog
      .getByRole('link', { name: /^Job \d+$/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/jobs\?job=\d+$/);
  });
});
