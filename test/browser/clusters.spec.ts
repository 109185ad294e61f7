import type { StatsDto } from '../../backend/src/modules/stats/index.js';
import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { changeClusters, type ClusterRow } from './support/changed-clusters.js';
import { expect, test } from './support/fixtures.js';

test('explains clusters and shows the host checks in an empty list', async ({ page }) => {
  await page.goto('/clusters');
  await expect(page.getByRole('heading', { name: 'No clusters yet' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'This host is ready' })).toBeVisible();
  await expect(page.getByText('inotify limits')).toBeVisible();
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
  await expect(page.getByText('Your kubeconfig has no contexts of other clusters.')).toBeVisible();
  await expectAccessible(page);

  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Download kubeconfig' }).click();
  expect((await download).suggestedFilename()).toBe('staging.kubeconfig.yaml');
});

test('marks only the rows of an unavailable engine as last seen', async ({ page, product }) => {
  for (const name of ['lost', 'alive']) await product.createCluster(name);
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
});

test('shows the last hour, Pods, restarts, ports and the last change in a row at each width and theme', async ({
  page,
  product,
}) => {
  const mapping = (host_port: number, container_port: number): object => ({
    listen_address: '127.0.0.1',
    host_port,
    container_port,
    protocol: 'TCP',
  });
  const port_mappings = [mapping(18443, 443), mapping(18080, 80)];
  await product.createCluster('shop', { workers: 2, port_mappings });
  await product.call('POST', '/clusters/shop/resources/apply', {
    yaml: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: colors\n  namespace: default\n',
  });
  await changeClusters(page, (rows) => rows, 'stats');
  let known = 7;
  await page.route('**/api/v1/stats', async (route) => {
    const response = await route.fetch();
    const stats = (await response.json()) as { cluster_resources: { cpu_trend: (number | null)[] }[] };
    for (const resources of stats.cluster_resources) {
      resources.cpu_trend = Array.from({ length: 120 }, (_, index) => (index < 120 - known ? null : index));
    }
    await route.fulfill({ response, json: stats });
  });
  await expect
    .poll(async () => (await product.call<{ pods: object | null }[]>('GET', '/clusters'))[0]?.pods)
    .not.toBeNull();
  const hasUsage = async (): Promise<boolean> => {
    const { cluster_resources: resources } = await product.call<StatsDto>('GET', '/stats');
    return resources.some(({ nodes }) => nodes.every(({ cpu_percent: cpu }) => cpu !== null));
  };
  await expect.poll(hasUsage).toBe(true);
  await page.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /shop/ });
  await expect(row).toContainText(/\d+\/\d+ pods, \d+ restarts?/);
  await expect(row.getByTitle(/\d+ of \d+ pods ready, \d+ restarts? in the last hour/)).toBeVisible();
  await expect(row.locator('sw-port-links a')).toHaveText(['18080 → 80', '18443 → 443']);
  await expect(row.getByRole('link', { name: '18443 → 443' })).toHaveAttribute(
    'href',
    'https://127.0.0.1:18443/',
  );
  await expect(row).toContainText(/ago: Applied config map default\/colors/);
  const line = row.locator('sw-sparkline path');
  await expect(line).toHaveAttribute('d', '');
  known = 8;
  await page.reload();
  await expect(line).toHaveAttribute('d', /^M[^hM]+$/);
  expect(await page.evaluate<number>('window.shifted')).toBeLessThanOrEqual(0.05);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(line).toBeVisible();
      await expect(row.getByRole('link', { name: '18080 → 80' })).toBeVisible();
      await expect(row.getByText(/\d+\/\d+ pods/)).toBeVisible();
      await expectNoOverflow(page);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectAccessible(page);
  await product.call('POST', '/clusters/shop/stop');
  await expect
    .poll(async () => (await product.call<{ state: string }[]>('GET', '/clusters'))[0]?.state)
    .toBe('stopped');
  await page.reload();
  await expect(row.locator('sw-port-links')).toHaveText('–');
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
  await page.getByRole('searchbox').fill('no-60');
  await expect(page.locator('sw-cluster-row')).toHaveCount(1);
});
