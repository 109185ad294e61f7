import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { ExternalServer } from './support/external-cluster.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import type { Product } from './support/product.js';

const OFF = 'Changes are off for production';

let server: ExternalServer;

test.use({ fresh: true });
test.beforeEach(async ({ product }) => {
  server = await ExternalServer.start(product);
});
test.afterEach(async () => {
  await server.stop();
});

async function add(product: Product, context: string): Promise<void> {
  await product.call('POST', '/external-clusters', { context, color: 'red', note: 'Ask before changes.' });
}

function contextsOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Available contexts' });
}

test('adds a context, and shows the cluster with its color', async ({ page }) => {
  await page.goto('/clusters');
  const contexts = contextsOf(page);
  await expect(contexts.getByRole('listitem')).toHaveCount(4);
  await expect(contexts).toContainText('its cluster is in no file of KUBECONFIG');
  await expect(contexts.getByRole('button', { name: 'Add broken' })).toHaveCount(0);
  await expectAccessible(page, 'sw-available-contexts');

  await contexts.getByRole('button', { name: 'Add production' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add production' });
  await expect(dialog).toContainText('Changes stay off until you allow them.');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await expectAccessible(page, 'sw-add-cluster-dialog');
  await dialog.getByLabel('Name').fill('Not valid');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(
    dialog.getByText(/lowercase letters, digits and hyphens, at most 40 characters/),
  ).toBeVisible();
  await dialog.getByLabel('Name').fill('');
  await dialog.getByRole('radio', { name: 'Red' }).check();
  await dialog.getByLabel('Note').fill('Ask before changes.');
  await dialog.getByRole('button', { name: 'Add' }).click();

  const row = page.getByRole('row', { name: /production/ });
  await expect(row).toContainText('Reachable');
  await expect(row).toContainText('Changes off');
  await expect(row.getByRole('button', { name: 'Stop' })).toHaveCount(0);
  await expect(contexts.getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);
});

test('shows an unreachable cluster with the reason, and tries again', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await add(product, 'production');
  await server.api.goAway();
  await page.goto('/cluster/production?runtime=kubeconfig');
  await product.call('POST', '/external-clusters/production/check');
  const notice = page.getByRole('note').filter({ hasText: 'production is unreachable.' });
  await expect(notice).toContainText('Could not reach 127.0.0.1');
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /production/ });
  await expect(row).toContainText('could not reach');
  // Its own color, not a gray one.
  for (const part of [row, row.locator('.cluster'), row.locator('.name'), row.locator('sw-color-mark')]) {
    await expect(part).toHaveCSS('filter', 'none');
  }
  await expect(row.locator('sw-state').first()).toHaveCSS('filter', 'grayscale(1)');
  await server.api.comeBack();
  await row.getByRole('button', { name: 'Retry' }).click();
  await expect(row).toContainText(/Reachable|Running/);
});

test('runs a plugin only after the user has seen and allowed it', async ({ page }) => {
  await page.goto('/clusters');
  await contextsOf(page).getByRole('button', { name: 'Add cloud' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow the plugin of cloud?' });
  await expect(dialog).toContainText(String.raw`--region=\u202eeu`);
  await expect(dialog).toContainText('PROFILE=work');
  await expectAccessible(page, 'sw-consent-dialog');
  await page.keyboard.press('Escape');
  const row = page.getByRole('row', { name: /cloud/ });
  await row.getByRole('button', { name: 'Allow plugin…' }).click();
  await dialog.getByRole('button', { name: 'Allow and connect' }).click();
  await expect(row).toContainText('Reachable');
});

test('disables changes until they are allowed, and follows when they are turned off', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await add(product, 'production');
  await page.goto('/cluster/production/resources/apps/v1/deployments?runtime=kubeconfig');
  const bar = page.getByRole('region', { name: 'External cluster' });
  await expect(bar).toContainText('Ask before changes.');
  await expect(bar).toContainText('Changes are off');
  await page.getByRole('link', { name: 'web', exact: true }).first().click();
  const panel = page.getByRole('region', { name: 'web' });
  const restart = panel.getByRole('button', { name: 'Restart…' });
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
  await expect(restart).toHaveAttribute('title', OFF);
  await restart.click({ force: true });
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await panel.getByRole('button', { name: 'More actions for web' }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete…' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expectAccessible(page);

  await bar.getByRole('button', { name: 'Allow changes…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Allow changes in production?' });
  for (const fact of ['Context: production', `Server: ${server.api.address}`, 'User: ada']) {
    await expect(question).toContainText(fact);
  }
  await expectAccessible(page, 'sw-confirm-dialog');
  await question.getByRole('button', { name: 'Allow changes' }).click();
  await expect(bar).toContainText('Changes allowed');
  await expect(restart).not.toHaveAttribute('aria-disabled');

  await restart.click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.locator('sw-changed-cluster')).toContainText('production');
  await expectAccessible(page, 'cdk-dialog-container');
  await product.call('PATCH', '/external-clusters/production', { changes_allowed: false });
  await expect(dialog.getByText(`${OFF}.`)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Restart web' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
});

test('refuses to allow changes for another server than the dialog showed', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await add(product, 'production');
  await page.goto('/cluster/production?runtime=kubeconfig');
  await page.getByRole('button', { name: 'Allow changes…' }).click();
  await server.changeUser();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Allow changes' }).click();
  await expect(page.getByText('Could not allow changes in production.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'External cluster' })).toContainText(
    'The context leads to another server, certificate authority or user',
  );
});

test('lists the objects of a cluster before it starts helm', async ({ page, product }) => {
  await add(product, 'production');
  const addons: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/production/addons')) addons.push(request.url());
  });
  let early = -1;
  await page.route(/\/production\/overview\?/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    if (early === -1) early = addons.length;
    await route.continue();
  });
  await page.goto('/cluster/production?runtime=kubeconfig');
  await expect(page.getByRole('heading', { name: 'Deployments' })).toBeVisible();
  await expect.poll(() => addons.length).toBeGreaterThan(0);
  expect(early).toBe(0);
  // Before the server of the cluster stops: what the page still loads would fail.
  await page.close();
});

test('shows a cluster without the controls of nodes, and removes it', async ({ page, product }) => {
  await add(product, 'production');
  await page.goto('/cluster/production?runtime=kubeconfig');
  await expect(page.getByText('Slipway does not manage the nodes of this cluster.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Deployments' })).toBeVisible();
  const addons = page.getByRole('region', { name: 'Addons' });
  await expect(addons.getByText('Loading')).toHaveCount(0);
  await expect(addons).not.toContainText('does not respond');
  for (const name of ['Config', 'Access', 'Provision log']) {
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
  }
  await expectAccessible(page);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
  await page.getByRole('button', { name: 'More actions for production' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove production?' });
  await expect(question).toContainText('stay as they are');
  await expect(question.getByRole('checkbox')).not.toBeChecked();
  await question.getByRole('button', { name: 'Remove production' }).click();
  await expect(page).toHaveURL(/\/clusters/);
  await expect(contextsOf(page).getByRole('button', { name: 'Add production' })).toBeVisible();
});

test('adds a pasted kubeconfig, and lets the user choose its context', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await page.goto('/clusters');
  await contextsOf(page).getByRole('button', { name: 'Add a kubeconfig…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a kubeconfig' });
  await dialog.getByRole('textbox', { name: 'Kubeconfig' }).fill(server.kubeconfig);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog.getByText('Choose one of production, far')).toBeVisible();
  await expect(dialog.getByLabel('Context')).toHaveValue('production');
  await expectAccessible(page, 'sw-add-cluster-dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('row', { name: /production/ })).toContainText('Reachable');
});
