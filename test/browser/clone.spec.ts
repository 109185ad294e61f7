import { expect, test } from './support/fixtures.js';

test('clones a cluster and previews the replaced port', async ({ page, product }) => {
  await product.createCluster('shop', { port_mappings: [{ container_port: 80, host_port: 48_180 }] });
  await page.goto('/cluster/shop');
  await page.getByRole('button', { name: 'More actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Clone…' }).click();

  const dialog = page.getByRole('dialog', { name: 'Clone shop' });
  const name = dialog.getByLabel('Name');
  await expect(name).toHaveValue('shop-2');
  await expect(dialog.getByText('1 host port is in use and will be replaced')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toContainText('48180');
  await expect(dialog.getByRole('listitem')).toContainText('48181');

  await name.fill('Shop_2');
  await dialog.getByRole('button', { name: 'Clone shop' }).click();
  await expect(dialog.getByText('Must consist of lowercase letters, digits and hyphens')).toBeVisible();
  await name.fill('shop');
  await expect(dialog.getByText('Already exists in demo.')).toBeVisible();
  await name.fill('shop-eu');
  await dialog.getByRole('button', { name: 'Clone shop' }).click();

  const job = page.getByRole('dialog', { name: 'Clone shop into shop-eu' });
  await expect(job).toBeVisible({ timeout: 20_000 });
  await job.getByRole('button', { name: 'Open shop-eu' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'shop-eu' })).toBeVisible();
});
