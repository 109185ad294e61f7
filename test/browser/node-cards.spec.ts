import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const WEB_PODS = 60;
const MAX_SHIFT = 0.05;

function deployment(name: string, replicas: number, more = ''): string {
  return [
    'apiVersion: apps/v1',
    'kind: Deployment',
    `metadata: { name: ${name}, namespace: default }`,
    'spec:',
    `  replicas: ${replicas}`,
    `  selector: { matchLabels: { app: ${name} } }`,
    '  template:',
    `    metadata: { labels: { app: ${name} } }`,
    `    spec: { ${more}containers: [{ name: web, image: nginx, resources: { requests: { memory: 128Mi } } }] }`,
  ].join('\n');
}

/** The name of the Pod of a tile. */
async function nameOf(tile: Locator): Promise<string> {
  return /^[^,]+/.exec((await tile.getAttribute('aria-label')) ?? '')?.[0] ?? '-';
}

/** The heights of the cards in pixels. */
async function heights(page: Page): Promise<number[]> {
  return await page.evaluate<number[]>(
    `[...document.querySelectorAll('sw-node-cards li.panel')].map(({ offsetHeight }) => offsetHeight)`,
  );
}

test('shows the Pods of each node as tiles, which the keyboard names and opens', async ({
  page,
  product,
}) => {
  await product.createCluster('staging', { workers: 2 });
  await product.call('POST', '/clusters/staging/resources/apply', {
    yaml: [deployment('web', WEB_PODS), deployment('stuck', 3, 'nodeSelector: { disk: ssd }, ')].join(
      '\n---\n',
    ),
  });
  // The three of the demo: one that is found while the page is open is inserted above the nodes.
  await expect
    .poll(async () => (await product.call<{ problems?: number }>('GET', '/clusters/staging')).problems)
    .toBeGreaterThanOrEqual(3);
  await page.addInitScript(`
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.goto('/cluster/staging');
  const tiles = page.getByRole('listbox', { name: /^Pods on staging-worker: \d+ pods/ });
  const stuck = page.getByRole('listbox', { name: 'Pods that are not scheduled: 3 pods' });
  await expect(
    tiles.getByRole('option', { name: /^web-.*Healthy, Running in default, requests 134 MB/ }).first(),
  ).toBeVisible();
  await expect(stuck.getByRole('option', { name: /^stuck-.*Pending in default/ })).toHaveCount(3);
  expect(await page.evaluate<number>('window.shift')).toBeLessThanOrEqual(MAX_SHIFT);

  for (const width of [1024, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: width === 390 ? 'dark' : 'light' });
    await expect(tiles.getByRole('option').last()).toBeVisible();
    expect(Math.max(...(await heights(page)))).toBeLessThanOrEqual(120);
    await expectNoOverflow(page);
  }
  await expectAccessible(page, 'sw-node-cards');

  const options = tiles.getByRole('option');
  await tiles.focus();
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowRight');
  await expect(options.first()).toHaveAttribute('aria-selected', 'false');
  const beside = tiles.getByRole('option', { selected: true });
  await expect(beside).toHaveCount(1);
  await expect(page.locator('sw-pod-tiles .tip')).toContainText(await nameOf(beside));
  await page.keyboard.press('Tab');
  await expect(page.locator('sw-pod-tiles .tip')).toBeHidden();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  const last = await nameOf(options.last());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/resources\/core\/v1\/pods\?.*object=/);
  await expect(page.getByRole('heading', { name: last })).toBeVisible();
});
