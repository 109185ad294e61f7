import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { chooseMore } from './support/more-actions.js';

test('restarts and deletes Pods and scales workloads, on desktop and phone', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/web');
  const panel = page.getByRole('region', { name: 'web' });
  await chooseMore(panel, 'Scale…');
  const scale = page.getByRole('dialog', { name: 'Scale web' });
  await scale.getByRole('spinbutton', { name: 'Replicas' }).fill('1');
  await scale.getByRole('button', { name: 'Scale to 1' }).click();
  await expect(page.getByText(/^web: Scaled from 3 to 1/)).toBeVisible();

  await page.goto('/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop');
  const grid = page.getByRole('grid', { name: 'Pods of staging' });
  await expect(grid.getByRole('row', { name: /web-/ })).toHaveCount(1);
  await grid.getByRole('link', { name: 'postgres-0' }).click();
  await page.getByRole('button', { name: 'Restart…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Restart postgres-0?' });
  await expect(question).toContainText('postgres');
  await question.getByRole('button', { name: 'Restart' }).click();
  await expect(page.getByText('Restarted postgres-0.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  for (const name of ['import-catalogue', 'mailer']) {
    await grid
      .getByRole('row', { name: new RegExp(name) })
      .first()
      .getByRole('checkbox')
      .check();
  }
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete 2 Pods?' });
  const effects = confirm.getByRole('list', { name: 'Effects' }).getByRole('listitem');
  await expect(effects.filter({ hasText: 'shop/import-catalogue' })).toContainText('is not run again');
  await expect(effects.filter({ hasText: 'shop/mailer' })).toContainText('creates a replacement');
  await expectAccessible(page, '[role=alertdialog]');
  await confirm.getByRole('button', { name: 'Delete 2 objects' }).click();
  await expect(page.getByText('Deleted 2 Pods.')).toBeVisible();
  await expect(grid.getByRole('row', { name: /import-catalogue/ })).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await grid.getByRole('link', { name: 'postgres-0' }).click();
  await expect(page.getByRole('heading', { name: 'postgres-0' })).toBeVisible();
  await expect(grid).toBeHidden();
  await page.goBack();
  await expect(grid).toBeVisible();
});

test('takes the keys of k9s in a table and its panel', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/core/v1/pods?runtime=demo&filter=postgres-0');
  await page.getByRole('link', { name: 'postgres-0' }).waitFor();
  await page.getByRole('grid', { name: 'Pods of staging' }).press('y');
  const panel = page.getByRole('region', { name: 'postgres-0' });
  await expect(panel.getByRole('tab', { name: 'YAML' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel.getByRole('heading', { name: 'postgres-0' })).toBeFocused();
  await page.keyboard.press('l');
  await expect(panel.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await panel.getByRole('tab', { name: 'Logs' }).press('s');
  await expect(page.getByRole('region', { name: 'Shells' })).toBeVisible();
});
