import type { Page } from '@playwright/test';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { ExternalServer } from './support/external-cluster.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

let server: ExternalServer;

test.use({ fresh: true });
test.beforeEach(async ({ product }) => {
  server = await ExternalServer.start(product);
  await product.call('POST', '/external-clusters', { context: 'production', color: 'red' });
});
test.afterEach(async () => {
  await server.stop();
});

async function expectFits(page: Page): Promise<void> {
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoOverflow(page);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('stores the lines of chosen namespaces after an estimate', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await page.goto('/cluster/production?runtime=kubeconfig');
  const history = page.getByRole('region', { name: 'Log history' });
  await expect(history).toContainText('stores no lines, so that a big cluster is not copied');
  await history.getByRole('button', { name: 'Store lines of…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Store log lines of production' });
  await dialog.getByLabel('Namespace').fill('shop');
  await dialog.getByLabel('Label selector').fill('app in (');
  await dialog.getByRole('button', { name: 'Estimate' }).click();
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await dialog.getByLabel('Label selector').fill('');
  await dialog.getByRole('button', { name: 'Estimate' }).click();
  await expect(
    dialog.getByText(/^About [\d.,]+ lines\/s, .+ per day, at most .+ on disk for \d+ days\.$/),
  ).toBeVisible();
  await expectAccessible(page, 'sw-store-lines-dialog');
  await page.setViewportSize({ width: 390, height: 900 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await dialog.getByRole('button', { name: 'Store lines' }).click();
  await expect(history.getByRole('listitem')).toHaveText(/shop\s*All Pods/);
  await expectAccessible(page, 'sw-log-history');
  await expectFits(page);
  await history.getByRole('button', { name: 'Remove shop' }).click();
  await expect(history).toContainText('stores no lines');
});

test('offers to store lines in the log of a Pod', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await page.goto('/cluster/production/resources/apps/v1/deployments?runtime=kubeconfig');
  await page.getByRole('link', { name: 'web', exact: true }).first().click();
  const panel = page.getByRole('region', { name: 'web' });
  await panel.getByRole('tab', { name: 'Logs' }).click();
  await expect(panel.getByText('Slipway stores no lines of this namespace.')).toBeVisible();
  await panel.getByRole('button', { name: 'Store lines…' }).click();
  await expect(page.getByRole('dialog').getByLabel('Namespace')).not.toHaveValue('');
});

test('dims kinds that the user may not list, and disables actions without their verb', async ({
  page,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  server.rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: ['', 'apps'], resources: ['pods', 'deployments'] },
    { verbs: ['patch'], apiGroups: ['apps'], resources: ['deployments'] },
  ];
  await page.goto('/cluster/production/resources/apps/v1/deployments?runtime=kubeconfig');
  const kinds = page.getByRole('navigation', { name: 'Kinds' });
  await expect(kinds.getByRole('link', { name: 'Secrets (ada may not list secrets here)' })).toBeVisible();
  await expect(kinds.getByRole('link', { name: 'Pods', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'web', exact: true }).first().click();
  const panel = page.getByRole('region', { name: 'web' });
  await panel.getByRole('button', { name: 'More actions for web' }).click();
  const remove = page.getByRole('menuitem', { name: 'Delete…' });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Allow changes…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Allow changes' }).click();
  await expect(panel.getByRole('button', { name: 'Restart…' })).not.toHaveAttribute('aria-disabled');
  await panel.getByRole('button', { name: 'More actions for web' }).click();
  await expect(remove).toHaveAttribute('title', 'You may not delete deployments.apps in namespace shop');
  await remove.click({ force: true });
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('menuitem', { name: 'Scale…' })).toHaveAttribute(
    'title',
    'You may not patch deployments.apps/scale in namespace shop',
  );
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectFits(page);
});

test('says which verb is missing for shells, files, logs and ports, also in the palette and for keys', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  server.rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }];
  const { external } = await product.call<ClusterDto>('GET', '/clusters/production?runtime=kubeconfig');
  await product.call('PATCH', '/external-clusters/production', {
    changes_allowed: true,
    identity: external?.identity,
  });
  await page.goto('/cluster/production/resources/core/v1/pods?runtime=kubeconfig');
  await page.getByRole('link', { name: /^web-/ }).first().click();
  const panel = page.getByRole('region', { name: /^web-/ });
  const why = (what: string): string => `You may not ${what} in namespace shop`;
  for (const shell of await panel.getByRole('button', { name: /^Shell/ }).all()) {
    await expect(shell).toHaveAttribute('title', why('get pods/exec'));
  }
  await expect(panel.getByRole('button', { name: /^Forward/ }).first()).toHaveAttribute(
    'title',
    why('get pods/portforward'),
  );
  const logs = panel.getByRole('tab', { name: 'Logs' });
  await expect(logs).toHaveAttribute('title', why('get pods/log'));
  await logs.click({ force: true });
  await expect(logs).toHaveAttribute('aria-selected', 'false');
  await panel.getByRole('button', { name: /^More actions/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Files' })).toHaveAttribute('title', why('get pods/exec'));
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  for (const [key, what] of [
    ['s', 'get pods/exec'],
    ['l', 'get pods/log'],
  ] as const) {
    await panel.getByRole('heading').first().focus();
    await page.keyboard.press(key);
    await expect(page.getByText(`${why(what)}.`)).toBeVisible();
  }
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'Search or jump to' }).click();
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('shell web-');
  const command = page.getByRole('option', { name: /^Shell web-/ }).first();
  await expect(command).toContainText(why('get pods/exec'));
  await expect(command).toHaveAttribute('aria-disabled', 'true');
  await command.click({ force: true });
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'sw-palette-dialog');
});

test('reads files once changes are allowed, and says why it takes no files before', async ({
  page,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await page.goto('/cluster/production/resources/core/v1/pods?runtime=kubeconfig');
  const pod = await page.getByRole('link', { name: /^web-/ }).first().textContent();
  await page.goto(`/cluster/production/files/shop/${pod?.trim() ?? ''}?runtime=kubeconfig`);
  const files = page.getByRole('region', { name: 'Files' });
  await expect(files).toContainText('Changes are off for production');
  // The type of the browser is not one of this program.
  const dropped = await page.evaluateHandle(
    "const data = new DataTransfer(); data.items.add(new File(['a'], 'a.txt')); data",
  );
  await files.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByText('The files were not uploaded.')).toBeVisible();
  await page.getByRole('button', { name: 'Allow changes…' }).click();
  const listed = page.waitForRequest((request) => /\/pods\/shop\/.+\/files\?/.test(request.url()));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Allow changes' }).click();
  await listed;
  await expect(files).not.toContainText('Changes are off');
});
