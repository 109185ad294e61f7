import { dockerArchive } from '../support/images/archives.js';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

test('loads selected images into the nodes and lists them', async ({ page, product }) => {
  await product.createCluster('shop');
  await page.goto('/cluster/shop');
  const panel = page.getByRole('region', { name: 'Images' });
  await expect(panel.getByText(/^No images loaded/)).toBeVisible();
  await panel.getByRole('button', { name: 'Load images…' }).click();

  const dialog = page.getByRole('dialog', { name: 'Load images into shop' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Load', exact: true })).toBeDisabled();
  await expect(dialog.getByText('kindest/node')).toHaveCount(0);
  await dialog.getByRole('searchbox').fill('no-such-image');
  await expect(dialog.getByText('No images match “no-such-image”')).toBeVisible();
  await dialog.getByRole('searchbox').fill('shop/');
  await dialog.getByLabel('shop/worker:latest').check();
  await expect(dialog.getByText(/imagePullPolicy: IfNotPresent/)).toBeVisible();
  await dialog.getByLabel('shop/web:1.4.0').check();
  await expect(dialog.getByText('2 images, 19.5 MB')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();

  const job = page.getByRole('dialog', { name: /web:1\.4\.0.* into shop$/ });
  await expect(job).toBeVisible();
  await job.getByRole('button', { name: 'Close' }).click();
  const loaded = panel.getByRole('list', { name: 'Loaded images' }).getByRole('listitem');
  await expect(loaded).toHaveCount(2);
  await expect(loaded.first()).toContainText('docker.io/shop/web:1.4.0');
  await expect(loaded.first()).toContainText('all nodes');
  await panel.getByText(/^9 Kubernetes images/).click();
  await expect(panel.getByText('registry.k8s.io/etcd:3.6.5-0')).toBeVisible();
});

test('loads an archive and rejects an invalid one', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('shop');
  await page.goto('/cluster/shop');
  await page.getByRole('button', { name: 'Load images…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load images into shop' });
  const file = dialog.getByLabel('Image archive');
  await file.setInputFiles({
    name: 'notes.tar',
    mimeType: 'application/x-tar',
    buffer: Buffer.from('no tar'),
  });
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('This is not an image archive');
  const { bytes } = dockerArchive(['team/tool:3'], 200_000);
  await file.setInputFiles({ name: 'tool.tar', mimeType: 'application/x-tar', buffer: bytes });
  await expect(dialog.getByText(/tool\.tar, \d+ kB/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await page
    .getByRole('dialog', { name: /tool:3 into shop$/ })
    .getByRole('button', { name: 'Close' })
    .click();
  await expect(page.getByRole('list', { name: 'Loaded images' })).toContainText('docker.io/team/tool:3');
});

test('removes unused node images after a confirmation', async ({ page, product }) => {
  await product.createCluster('shop');
  await page.goto('/diagnostics');
  await page.getByRole('link', { name: 'Images and disk' }).click();
  await expect(page).toHaveURL(/\/diagnostics\/images$/);
  await expect(page.getByRole('link', { name: 'Diagnostics' }).first()).toHaveAttribute(
    'aria-current',
    'page',
  );
  const demo = page.getByRole('region', { name: 'Disk usage of demo' });
  await expect(demo.getByText('1.8 GB can be freed')).toBeVisible();
  await expect(demo.getByRole('list', { name: 'Node images of demo' }).getByRole('listitem')).toHaveCount(2);
  await expect(demo.getByRole('list', { name: 'Disk of demo' })).toContainText('Can be freed 1.8 GB');
  const volumes = demo.getByRole('list', { name: 'Node volumes of demo' }).getByRole('listitem');
  await expect(volumes).toHaveText([
    /^shop/,
    /shop-control-plane/,
    /shop-worker/,
    /^Deleted nodes/,
    /old-demo-worker/,
  ]);
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  }
  await demo.getByRole('button', { name: 'Remove unused…' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('docker.io/kindest/node:v1.33.1');
  await expect(question).not.toContainText('v1.34.4');
  await question.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Prune demo' }).getByRole('button', { name: 'Close' }).click();
  await expect(demo.getByText('Nothing can be freed')).toBeVisible();
  await expect(demo.getByRole('button', { name: 'Remove unused…' })).toBeDisabled();
});
