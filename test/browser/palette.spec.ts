import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

test('opens pages and clusters and runs actions by keyboard only', async ({ page, product, guard }) => {
  guard.expect(/404/);
  await product.createCluster('staging');
  await product.createCluster('payments');
  await page.goto('/clusters');
  const opener = page.getByRole('button', { name: 'Search or jump to' });
  await opener.focus();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const field = palette.getByRole('combobox');
  const chosen = palette.locator('[aria-selected="true"]');
  await expect(field).toBeFocused();
  // Problems of the demo are found within seconds.
  await expect(palette.getByRole('group').filter({ hasNotText: 'What is wrong' })).toHaveCount(3);
  await expect(chosen).toHaveText(/payments/);
  await expectAccessible(page, '[role=dialog]');

  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(opener).toBeFocused();

  await opener.press('Enter');
  await page.keyboard.type('zebra');
  await expect(palette).toContainText('No results for “zebra”');
  await field.fill('stag');
  await expect(chosen).toHaveText(/^\s*staging/);
  const id = await chosen.getAttribute('id');
  await expect(field).toHaveAttribute('aria-activedescendant', id ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/cluster\/staging\?runtime=demo$/);
  await expect(page.locator('main')).toBeFocused();

  // Entries of the current page come first, and actions need the usual confirmation.
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('group', { name: 'staging' })).toBeVisible();
  await page.keyboard.type('del stag');
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Delete staging?' });
  await expect(question).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toHaveCount(0);
  await question.getByRole('button', { name: 'Delete staging' }).click();
  await expect(page).toHaveURL(/\/clusters$/);

  await page.keyboard.press('Control+k');
  await field.fill('journal');
  await page.keyboard.press('ArrowUp');
  await expect(chosen).not.toHaveText(/^\s*Journal\s*$/);
  await page.keyboard.press('ArrowDown');
  await chosen.click();
  await expect(page.getByRole('heading', { name: 'Journal', level: 1 })).toBeVisible();
});

test('undoes the rollout of a workload that no page shows', async ({ page, product }) => {
  await product.createCluster('staging');
  const path = '/clusters/staging/resources/apps/v1/deployments/web?runtime=demo&namespace=shop';
  const { yaml } = await product.call<{ yaml: string }>('GET', path);
  await product.call('PUT', path, { yaml: yaml.replace('image: shop/web:1.4.0', 'image: shop/web:1.5.0') });
  await page.goto('/clusters');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await palette.getByRole('combobox').fill('undo rollout web');
  await expect(palette.locator('[aria-selected="true"]')).toHaveText(/Undo rollout web/);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Roll back web to revision 1?' });
  await expect(question.getByRole('textbox', { name: 'Changes' })).toContainText('image: shop/web:1.4.0');
  await question.getByRole('button', { name: 'Roll back' }).press('Enter');
  await expect(page.getByText('web: Rolled back to revision 1, now revision 3.')).toBeVisible();
});
