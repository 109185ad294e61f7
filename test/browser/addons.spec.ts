import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import type * as kubernetes from '../../backend/src/drivers/kubernetes/index.js';
import { packChart, shopChart } from '../support/charts/own-chart.js';
import { expectAccessible } from './support/accessibility.js';
import { built } from './support/built-product.js';
import { enterText } from './support/editor.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

const CRDS = 'crds:\n  enabled: true\n';

function valuesOf(form: Locator): Locator {
  return form.getByRole('textbox', { name: 'Values' });
}

async function enterValues(page: Page, form: Locator, text: string): Promise<void> {
  await enterText(page, valuesOf(form), text);
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const isFocused = async (): Promise<boolean> => (await target.and(page.locator(':focus')).count()) > 0;
  for (let presses = 0; presses < 80 && !(await isFocused()); presses += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

async function chooseAction(page: Page, name: string, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('installs, upgrades, rolls back and uninstalls an addon, and records each in the journal', async ({
  page,
  product,
  guard,
}) => {
  // Four operations, each with a form.
  test.slow();
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/cluster/staging/addons?runtime=demo');
  await page.getByRole('button', { name: 'Install cert-manager' }).click();
  const form = page.getByRole('dialog', { name: 'Install cert-manager' });
  await enterValues(page, form, `${CRDS}replicas: two\n`);
  await form.getByRole('button', { name: 'Preview changes' }).click();
  await expect(form).toContainText('Nothing was changed.');
  await expect(form).toContainText('replicas must be integer (line 3)');
  await enterValues(page, form, `${CRDS}replicas: 2\n`);
  await form.getByRole('button', { name: 'Preview changes' }).click();
  await expect(form.getByRole('status')).toHaveText('8 objects: 8 added, 0 unchanged');
  await expectAccessible(page, '[role=dialog]');
  await form.getByRole('button', { name: 'Install', exact: true }).click();

  const installed = page.getByRole('region', { name: 'Installed' });
  const row = installed.getByRole('listitem').filter({ hasText: 'cert-manager/cert-manager' });
  await expect(row).toContainText('Installed');
  await expect(row).toContainText('8 of 8 ready');
  await row.getByRole('button', { name: 'cert-manager', exact: true }).click();
  const release = page.getByRole('region', { name: 'cert-manager', exact: true });
  await expect(release).toContainText('8 of 8 ready');
  await expect(release.getByText('Your values')).toBeVisible();
  await expect(release.getByText('replicas: 2')).toHaveCount(2);
  for (const values of await release.getByText('replicas: 2').all()) await expect(values).toBeHidden();
  await expectAccessible(page);

  await chooseAction(page, 'cert-manager', /^Upgrade with new values/);
  const change = page.getByRole('dialog', { name: 'Upgrade cert-manager' });
  await enterValues(page, change, `${CRDS}replicas: 1\n`);
  await change.getByRole('button', { name: 'Preview changes' }).click();
  await expect(change.getByRole('status')).toHaveText(/^8 objects: \d changed, \d unchanged$/);
  await change.getByText('Deployment cert-manager').click();
  await expect(change.getByLabel('Diff of Deployment cert-manager')).toContainText('replicas: 1');
  await change.getByRole('button', { name: 'Upgrade', exact: true }).click();
  const revisions = release.getByRole('list').last().getByRole('listitem');
  await expect(revisions).toHaveCount(2, { timeout: 15_000 });
  await release.getByRole('button', { name: 'Roll back to revision 1' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
  await expect(revisions).toHaveCount(3, { timeout: 15_000 });
  await expect(release).toContainText('Rollback to 1');

  // It has no web page.
  await expect(row.getByRole('button', { name: /^Open/ })).toHaveCount(0);

  await chooseAction(page, 'cert-manager', /^Uninstall/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uninstall cert-manager' }).click();
  await expect(row).toHaveCount(0, { timeout: 15_000 });

  const { entries } = await product.call<{ entries: { kind: string; outcome: string; message: string }[] }>(
    'GET',
    '/journal/recent?cluster=staging',
  );
  expect(entries.map(({ kind, outcome }) => `${kind} ${outcome}`).reverse()).toEqual([
    'create succeeded',
    'addon-install succeeded',
    'addon-upgrade succeeded',
    'addon-rollback succeeded',
    'addon-uninstall succeeded',
  ]);
  expect(entries.every(({ message }, index) => index === 4 || message.includes('cert-manager'))).toBe(true);
});

test('starts, follows and cancels an addon installation by keyboard only', async ({ page, product }) => {
  await product.createCluster('staging');
  for (const node of ['staging-control-plane', 'staging-worker']) {
    await product.call('POST', `/clusters/staging/resources/core/v1/nodes/${node}/cordon`);
  }
  await page.goto('/cluster/staging/addons?runtime=demo');
  await page.getByRole('button', { name: 'Install cert-manager' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Install cert-manager' });
  await tabTo(page, valuesOf(form));
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('replicas: 2');
  // After Escape, Tab leaves the editor for two seconds.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(form).toBeVisible();
  await tabTo(page, form.getByRole('button', { name: 'Install', exact: true }));
  await page.keyboard.press('Enter');

  const job = page.getByRole('group', { name: 'Active job' });
  await expect(job).toContainText(/Installing cert-manager.*\d of 8 ready/);
  const row = page.getByRole('listitem').filter({ hasText: 'cert-manager/cert-manager' });
  // One row shows the installation.
  await expect(row).toHaveCount(0);
  await tabTo(page, job.getByRole('button', { name: 'Cancel' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('alertdialog').getByRole('button', { name: 'Cancel job' }));
  await page.keyboard.press('Enter');
  await expect(job).toBeHidden();
  await expect(row).toHaveCount(0);
  const pods = await product.call<{ total: number }>(
    'GET',
    '/clusters/staging/resources/core/v1/pods?namespace=cert-manager',
  );
  expect(pods.total).toBe(0);
});

test('opens a port-forward in a new window, lists it, opens it again and closes it', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  // Demo Pods run no programs. Real port-forwards are covered by test/real.
  const pod = createServer((_request, response) => response.end('the page of the pod')).listen(
    0,
    '127.0.0.1',
  );
  await once(pod, 'listening');
  const { ForwardListener } = await built<typeof kubernetes>('drivers/kubernetes/index.js');
  const proxy = await ForwardListener.listen({
    name: 'metrics-server',
    page: { host: 'metrics', encrypted: false },
    isPlain: false,
    hosts: () => [],
    refusal: () => Promise.resolve(null),
    connect: async () => connect((pod.address() as AddressInfo).port, '127.0.0.1'),
  });
  const origin = proxy.url ?? '';
  try {
    const forward = {
      id: 'f1',
      release: 'metrics-server',
      namespace: 'kube-system',
      service: 'metrics-server',
      port: 443,
      url: origin,
      local_port: proxy.port,
      created_at: new Date().toISOString(),
      connections: 0,
      problem: null,
    };
    let forwards: object[] = [];
    const requests: unknown[] = [];
    await page.route('**/addons/releases/metrics-server/forward?**', async (route) => {
      forwards = [forward];
      requests.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { ...forward, url: proxy.issueLink() } });
    });
    await page.route('**/addons/forwards**', async (route) => {
      if (route.request().method() === 'DELETE') forwards = [];
      await route.fulfill({ json: forwards });
    });
    // A demo cluster has no other addon from the start; this one has no page.
    await page.route('**/clusters/staging/addons?**', async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"page":false', '"page":true');
      await route.fulfill({ response, body: text });
    });
    await page.goto('/cluster/staging/addons?runtime=demo');
    const list = page.getByRole('region', { name: 'Port-forwards' });
    for (const button of [
      page.getByRole('button', { name: 'Open Metrics Server in a new window' }),
      list.getByRole('button', { name: origin }),
    ]) {
      const opened = page.waitForEvent('popup');
      await button.click();
      const popup = await opened;
      // The one-time key of the link is not in the URL.
      await popup.waitForURL(`${origin}/`);
      await expect(popup.getByText('the page of the pod')).toBeVisible();
      await popup.close();
    }
    expect(requests).toEqual([{}, { service: 'metrics-server', port: 443 }]);
    await expect(list.getByRole('listitem')).toHaveText(/to metrics-server:443 of metrics-server/);
    await list.getByRole('button', { name: 'Close the port-forward to metrics-server' }).click();
    await expect(list).toHaveCount(0);
  } finally {
    proxy.close();
    pod.closeAllConnections();
    pod.close();
  }
});

test('installs Kiali without a sign-in: no password field, and values cannot enable one', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/cluster/staging/addons?runtime=demo');
  await page.getByRole('button', { name: 'Install Kiali' }).click();
  const form = page.getByRole('dialog', { name: 'Install Kiali' });
  await expect(form).toContainText('Kiali opens without a sign-in.');
  await expect(form.locator('input')).toHaveCount(2);
  await expect(form.locator('input[type=password]')).toHaveCount(0);
  await enterValues(page, form, 'auth:\n  strategy: token\n');
  await form.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(form).toContainText('Nothing was changed.');
  await expect(valuesOf(form)).toContainText('strategy: token');
});

test('offers a newer uploaded chart in the panel of its release, and selects it', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging/addons');
  for (const version of ['1.0.0', '1.1.0']) {
    const buffer = await packChart(shopChart(version));
    await page
      .locator('sw-chart-repositories input[type=file]')
      .setInputFiles({ name: `shop-${version}.tgz`, mimeType: 'application/gzip', buffer });
    await expect(page.locator('sw-chart-repositories')).toContainText(version);
  }
  const chart = { repository: 'uploaded', chart: 'shop', version: '1.0.0', namespace: 'market' };
  await product.call('POST', '/clusters/staging/addons', chart);
  const release = '/api/v1/clusters/staging/addons/releases/shop?namespace=market';
  await expect.poll(async () => (await page.request.get(release)).status()).toBe(200);
  await page.goto('/cluster/staging/addons?release=market/shop');
  const panel = page.getByRole('region', { name: 'shop', exact: true });
  await expect(panel).toContainText('1.1.0 available');
  await panel.getByRole('button', { name: 'Upgrade to 1.1.0…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Version')).toHaveValue('1.1.0');
  await dialog.getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog.locator('section details[open]').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click();
  await expect(panel).not.toContainText('1.1.0 available');
  await expect(panel.getByRole('button', { name: 'Uninstall…' })).toBeEnabled();
});
