import { expect, test } from './support/fixtures.js';
import { chooseMore } from './support/more-actions.js';

test('reviews and saves an object, and keeps the input when someone else saved first', async ({
  page,
  product,
}) => {
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
  await expect(panel.getByRole('textbox', { name: 'Changes', exact: true })).toContainText('tested: "yes"');

  const path = '/clusters/staging/resources/core/v1/configmaps/shop-settings?runtime=demo&namespace=shop';
  const { yaml } = await product.call<{ yaml: string }>('GET', path);
  await product.call('PUT', path, { yaml: `${yaml}  by: other\n` });
  // The table reports the change, and the page blocks a save that the server would reject.
  await expect(panel.getByText('The object changed in the cluster.')).toBeVisible();
  const save = panel.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  await panel.getByRole('button', { name: 'Keep mine' }).click();
  // By keyboard only: each step removes the focused element, and the focus must stay in the panel.
  await page.keyboard.press('Control+s');
  await expect(save).toBeEnabled();
  await save.press('Enter');
  await expect(page.getByText('Saved shop-settings.')).toBeVisible();
  const saved = await product.call<{ yaml: string }>('GET', path);
  expect(saved.yaml).toContain('tested: "yes"');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});

test('reveals the values of a Secret one by one', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/core/v1/secrets?runtime=demo&object=shop/postgres-credentials');
  const secret = page.getByRole('region', { name: 'postgres-credentials' });
  await expect(secret.getByRole('button', { name: /^Reveal the value of/ })).toHaveCount(2);
  await secret.getByRole('button', { name: 'Reveal the value of password' }).click();
  await expect(secret.getByRole('group', { name: 'Value of password' })).not.toBeEmpty();
  await expect(secret.getByRole('button', { name: /^Reveal the value of/ })).toHaveCount(1);
});

test('rolls a Deployment back to a revision, whose diff it shows, and pauses its rollout', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  const path = '/clusters/staging/resources/apps/v1/deployments/web?runtime=demo&namespace=shop';
  const { yaml } = await product.call<{ yaml: string }>('GET', path);
  await product.call('PUT', path, { yaml: yaml.replace('image: shop/web:1.4.0', 'image: shop/web:1.5.0') });
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/web');
  const panel = page.getByRole('region', { name: 'web' });
  await panel.getByRole('tab', { name: 'Rollout' }).click();
  const revisions = panel.getByRole('listitem');
  await expect(revisions.first()).toContainText('Revision 2');
  await expect(revisions.first()).toContainText('Current');
  await panel.getByRole('button', { name: 'Changes of revision 1' }).click();
  const diff = panel.getByRole('textbox', { name: 'A rollback to revision 1 changes the Pod template:' });
  await expect(diff).toContainText('image: shop/web:1.4.0');
  await panel.getByRole('button', { name: 'Roll back to 1' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Roll back web to revision 1?' });
  await expect(question.getByRole('textbox', { name: 'Changes' })).toContainText('image: shop/web:1.4.0');
  await question.getByRole('button', { name: 'Roll back' }).press('Enter');
  await expect(page.getByText('web: Rolled back to revision 1, now revision 3.')).toBeVisible();
  await expect(revisions.first()).toContainText('Revision 3');
  await expect(revisions.first()).toContainText('shop/web:1.4.0');

  await chooseMore(panel, 'Pause rollout');
  await expect(panel.getByText('The rollout is paused.')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Roll back to 2' })).toBeDisabled();
  await chooseMore(panel, 'Resume rollout');
  await expect(panel.getByText('The rollout is paused.')).toBeHidden();
});

test('changes an image that no node has only after a warning', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&object=shop/web');
  const panel = page.getByRole('region', { name: 'web' });
  await chooseMore(panel, 'Change image…');
  const dialog = page.getByRole('dialog', { name: 'Change image of web' });
  const field = dialog.getByRole('combobox', { name: 'web' });
  await field.fill('shop/web:9');
  await field.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Changes' })).toContainText('image: shop/web:9');
  await expect(dialog.getByText('No node has shop/web:9. Load the image first')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change anyway' }).press('Enter');
  await expect(page.getByText('Changed the image of web to shop/web:9.')).toBeVisible();
  await expect(panel.getByText('shop/web:9')).toBeVisible();
});
