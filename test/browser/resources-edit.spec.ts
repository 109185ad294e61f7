import { expect, test } from './support/fixtures.js';

test('an object is saved after its difference was seen, and nothing typed is lost to who was faster', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(/409/);
  await product.createCluster('staging');
  await page.goto(
    '/cluster/staging/resources/core/v1/configmaps?runtime=demo&object=shop/shop-settings&part=yaml',
  );
  const panel = page.getByRole('region', { name: 'shop-settings' });
  const editor = panel.getByRole('textbox', { name: 'YAML of shop-settings' });
  await expect(editor).toContainText('kind: ConfigMap');
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('  tested: "yes"\n');
  await panel.getByRole('button', { name: 'Review changes' }).click();
  await expect(panel.getByRole('textbox', { name: 'What saving changes' })).toContainText('tested: "yes"');

  const path = '/clusters/staging/resources/core/v1/configmaps/shop-settings?runtime=demo&namespace=shop';
  const { yaml } = await product.call<{ yaml: string }>('GET', path);
  await product.call('PUT', path, { yaml: `${yaml}  by: other\n` });
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(panel.getByText('It changed in the cluster since you began.')).toBeVisible();
  await panel.getByRole('button', { name: 'Keep mine' }).click();
  await expect(editor).toContainText('tested: "yes"');
  // By keys alone: what has the focus goes at each step, and the focus stays in the panel.
  await editor.press('Control+s');
  await panel.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('shop-settings was saved.')).toBeVisible();
  const saved = await product.call<{ yaml: string }>('GET', path);
  expect(saved.yaml).toContain('tested: "yes"');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});

test('values of a Secret are shown one by one', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/core/v1/secrets?runtime=demo&object=shop/postgres-credentials');
  const secret = page.getByRole('region', { name: 'postgres-credentials' });
  await expect(secret.getByRole('button', { name: /^Reveal the value of/ })).toHaveCount(2);
  await secret.getByRole('button', { name: 'Reveal the value of password' }).click();
  await expect(secret.getByRole('group', { name: 'Value of password' })).not.toBeEmpty();
  await expect(secret.getByRole('button', { name: /^Reveal the value of/ })).toHaveCount(1);
});
