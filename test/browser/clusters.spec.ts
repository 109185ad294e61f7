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
