import type { WebSocketRoute } from '@playwright/test';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { changeClusters, type ClusterRow } from './support/changed-clusters.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import type { Product } from './support/product.js';

async function withClusters(product: Product, ...names: string[]): Promise<void> {
  for (const name of names) await product.createCluster(name);
}

test('explains clusters and shows the host checks in an empty list', async ({ page }) => {
  await page.goto('/clusters');
  await expect(page.getByRole('heading', { name: 'No clusters yet' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'This host is ready' })).toBeVisible();
  await expect(page.getByText('inotify limits')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /Three control planes/ }).click();
  await expect(page.getByLabel('Control planes', { exact: true })).toHaveValue('3');
});

test('shows state, usage, version and engine of a cluster in its row', async ({ page, product }) => {
  await product.createCluster('staging', { workers: 2 });
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText(/Running for \d+ s/);
  await expect(row.getByText('demo', { exact: true }).first()).toBeVisible();
  await expect(row.getByRole('img', { name: '1 control plane, 2 workers, all running' })).toBeVisible();
  await expect(row.getByRole('meter', { name: 'Memory, share of the host' })).toBeVisible();
  await expect(row).toContainText('v1.34.4');
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Download kubeconfig' }).click();
  expect((await download).suggestedFilename()).toBe('staging.kubeconfig.yaml');
});

test('adds a cluster that another client created', async ({ page, product }) => {
  await product.createCluster('first');
  await page.goto('/clusters');
  await expect(page.getByRole('row', { name: /first/ })).toBeVisible();
  await product.createCluster('second');
  await expect(page.getByRole('row', { name: /second/ })).toContainText('Running');
});

test('filters by text and group, and suggests a name if nothing matches', async ({ page, product }) => {
  await withClusters(product, 'staging-eu', 'payments');
  await page.goto('/clusters');
  const rows = page.locator('sw-cluster-row');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('/');
  const filter = page.getByRole('searchbox', { name: 'Filter clusters' });
  await expect(filter).toBeFocused();
  await page.keyboard.type('pay demo');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/filter=pay%20demo/);
  await filter.fill('stagng');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await expect(page.getByText('The filter hides 2 clusters.')).toBeVisible();
  await page.getByRole('button', { name: 'staging-eu' }).click();
  await expect(rows).toHaveCount(1);
  await filter.fill('');
  await page.getByRole('button', { name: /^Needs attention/ }).click();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(rows).toHaveCount(2);
});

test('keeps the order of rows until the user sorts them', async ({ page, product }) => {
  await withClusters(product, 'beta', 'alpha');
  const names = page.locator('sw-cluster-row .name a');
  await page.goto('/clusters');
  await expect(names).toHaveText(['alpha', 'beta']);
  await product.createCluster('gamma');
  await expect(names).toHaveText(['gamma', 'alpha', 'beta']);
  await page.getByRole('button', { name: 'Sort by Name' }).click();
  await expect(names).toHaveText(['alpha', 'beta', 'gamma']);
});

test('lists the losses of a deletion, which can be canceled', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/clusters');
  await page.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete staging?' });
  await expect(question).toContainText('2 containers in demo: staging-control-plane, staging-worker');
  await expect(question).toContainText('Its saved config, provision log and kubeconfig');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row', { name: /staging/ })).toContainText('Running');
});

test('shows a lost connection and polls until it is restored', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  const sockets: WebSocketRoute[] = [];
  let refuse = false;
  await page.routeWebSocket('/events', (socket) => {
    if (refuse) void socket.close();
    else {
      socket.connectToServer();
      sockets.push(socket);
    }
  });
  await product.createCluster('first');
  await page.goto('/clusters');
  await expect(page.getByRole('row', { name: /first/ })).toBeVisible();
  await expect(page.getByText('Reconnecting')).toBeHidden();
  refuse = true;
  for (const socket of sockets) await socket.close();
  await expect(page.getByText('Reconnecting')).toBeVisible();
  await product.createCluster('second');
  await expect(page.getByRole('row', { name: /second/ })).toBeVisible();
  refuse = false;
  await expect(page.getByText('Reconnecting')).toBeHidden({ timeout: 15_000 });
});

test('marks rows as last seen while the server is down, and recovers', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText('Running');
  await product.halt();
  await expect(page.getByText('Last updated')).toBeVisible();
  await expect(row).toContainText('Last seen: Running');
  await expect(row.getByRole('button', { name: 'Stop staging' })).toBeHidden();
  await product.launch();
  const retry = page.getByRole('button', { name: 'Try again' });
  // The page may have recovered by itself.
  await retry.click({ timeout: 5000 }).catch(() => expect(retry).toBeHidden());
  await expect(page.getByText('Last updated')).toBeHidden();
  await expect(row).not.toContainText('Last seen');
});

test('marks only the rows of an unavailable engine as last seen', async ({ page, product }) => {
  await withClusters(product, 'lost', 'alive');
  await changeClusters(
    page,
    (rows) =>
      rows.map((row) =>
        row.name === 'lost'
          ? {
              ...row,
              runtime: 'docker',
              state: 'unknown',
              state_reason: 'docker does not answer: connection refused',
            }
          : row,
      ),
    'stats',
  );
  await page.route('**/api/v1/stats', async (route) => {
    const response = await route.fetch();
    const stats = (await response.json()) as { runtimes: Record<string, unknown>[] };
    stats.runtimes.push({
      ...stats.runtimes[0],
      id: 'docker',
      available: false,
      version: null,
      reason: 'connection refused',
      fix: 'sudo systemctl start docker',
    });
    await route.fulfill({ response, json: stats });
  });
  await page.goto('/clusters');
  const lost = page.getByRole('row', { name: /lost/ });
  await expect(lost).toContainText('Unknown: docker does not answer: connection refused, last seen');
  await expect(lost.getByRole('button', { name: /Stop|Start|Delete/ })).toHaveCount(0);
  await expect(
    page.getByText('docker does not respond. Connection refused. Showing the last known state of 1 cluster.'),
  ).toBeVisible();
  await expect(page.getByText('sudo systemctl start docker')).toBeVisible();
  await expect(
    page.getByRole('row', { name: /alive/ }).getByRole('button', { name: 'Stop alive' }),
  ).toBeVisible();
  await expectAccessible(page);
});

test('marks an adopted cluster, also when it is deleted', async ({ page, product }) => {
  await product.createCluster('kind');
  await changeClusters(page, (rows) => rows.map((row) => ({ ...row, origin: 'adopted' })));
  await page.goto('/clusters');
  await expect(page.getByRole('row', { name: /kind/ }).getByText('adopted')).toBeVisible();
  await page.getByRole('button', { name: 'More actions for kind' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('created outside Slipway');
});

test('renders sixty clusters on a phone without overflow', async ({ page, product }) => {
  await product.createCluster('one');
  await changeClusters(page, ([row]) =>
    Array.from({ length: 60 }, (_, index) => ({
      ...(row as ClusterRow),
      name: `a-rather-long-name-of-a-cluster-no-${index + 1}`,
    })),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/clusters');
  await expect(page.locator('sw-cluster-row')).toHaveCount(60);
  await expectNoOverflow(page);
  const before = Date.now();
  await page.getByRole('searchbox').fill('no-60');
  await expect(page.locator('sw-cluster-row')).toHaveCount(1);
  expect(Date.now() - before).toBeLessThan(1000);
});
