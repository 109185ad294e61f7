import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

test('forwards a port, opens its page and stops it, by keyboard alone', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/forwards?runtime=demo');
  await expect(page.getByText('None. Start one from the ports of')).toBeVisible();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await palette.getByRole('combobox').fill('forward api 8080');
  await expect(palette.getByRole('option', { name: /^Forward api 8080/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Forward a port of api' });
  await expect(question.getByLabel('Port', { exact: true })).toBeFocused();
  await expect(question.getByLabel('Port', { exact: true })).toHaveValue('8080');
  await expectAccessible(page, '[role=dialog]');
  const local = question.getByLabel('Local port');
  await local.fill('0');
  await page.keyboard.press('Enter');
  await expect(question.getByText('Must be a port from 1 to 65535.')).toBeVisible();
  // Any free port.
  await local.fill('');
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();

  const forward = page.getByRole('list', { name: 'Port-forwards' }).getByRole('listitem');
  await expect(forward).toContainText(/^\s*127\.0\.0\.1:\d+.*shop\/api.*port 8080/);
  await page.reload();
  await expect(forward).toHaveCount(1);
  const opened = page.waitForEvent('popup');
  await forward.getByRole('button', { name: 'Open the page of api in a new window' }).press('Enter');
  const popup = await opened;
  await expect(popup.getByRole('heading', { name: /^api-/ })).toBeVisible();
  await popup.close();
  await expect(forward).toContainText(/[1-9][\d.]* k?B sent/);
  await expectAccessible(page, 'main');

  await forward.getByRole('button', { name: /^Stop the port-forward from 127/ }).press('Enter');
  await expect(page.getByText('None. Start one from the ports of')).toBeVisible();
});

test('shows the ports of a Pod, and that its Pod has gone', async ({ page, product, guard }) => {
  // The details may be read between the deletion and the next page.
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/apps/v1/deployments?runtime=demo&namespace=shop');
  await page.getByRole('grid').getByRole('link', { name: 'api', exact: true }).click();
  const panel = page.getByRole('region', { name: /^api/ });
  await panel.getByRole('button', { name: 'Forward port 8080' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await expect(panel.getByRole('button', { name: /^Copy 127/ })).toBeVisible();
  await product.call(
    'DELETE',
    '/clusters/staging/resources/apps/v1/deployments/api?runtime=demo&namespace=shop',
  );
  await page.goto('/cluster/staging/forwards?runtime=demo');
  await expect(page.getByRole('list', { name: 'Port-forwards' })).toContainText(/not found|does not exist/);
});
