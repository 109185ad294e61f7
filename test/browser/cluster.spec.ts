import { expectAccessible } from './support/accessibility.js';
import { changeClusters, type ClusterRow } from './support/changed-clusters.js';
import { expect, test } from './support/fixtures.js';

test('shows state, node usage, provision log and jobs of a cluster', async ({ page, product }) => {
  const id = await product.createCluster('staging', { workers: 2 });
  await page.goto('/cluster/staging');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs.getByText('staging')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('heading', { level: 1, name: 'staging' })).toBeVisible();
  await expect(page.getByText(/Running for \d+ s\. 3 of 3 nodes and \d+ of \d+ pods ready\./)).toBeVisible();
  await expect(page.getByText('https://127.0.0.1:')).toBeVisible();
  await expect(page.getByText('docker.io/kindest/node:v1.34.4', { exact: true })).toBeVisible();

  const cards = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await expect(cards.first().getByRole('meter', { name: 'CPU of staging-control-plane' })).toBeVisible();
  await expect(cards.first()).toContainText(/of \d+ cores?/);
  await expect(page.getByText('excluding page cache')).toBeVisible();

  await expect(
    page.getByRole('region', { name: 'Jobs' }).getByRole('link', { name: /Create/ }),
  ).toHaveAttribute('href', `/jobs?job=${id}`);
  await expectAccessible(page);

  const tabs = page.getByRole('navigation', { name: 'Pages of the cluster' });
  await tabs.getByRole('link', { name: 'Provision log' }).click();
  await expect(page).toHaveURL(/\/cluster\/staging\/provision-log\?/);
  await expect(page).toHaveTitle(/Provision log of staging · Slipway$/);
  const log = page.getByRole('region', { name: 'Provision log' });
  await log.getByText('Ensuring node image', { exact: true }).click();
  await expect(log.getByRole('group', { name: 'Output of Ensuring node image' })).toContainText(
    'Creating cluster',
  );
  await expect(log.getByRole('img', { name: 'Succeeded' })).toHaveCount(11);
  await expectAccessible(page, 'sw-provision-log');
  await page.goBack();
  await expect(cards.first()).toBeVisible();
  await crumbs.getByRole('link', { name: 'Clusters' }).click();
  await expect(page).toHaveURL(/\/clusters$/);
});

test('shows at most three node cards in a row', async ({ page, product }) => {
  await product.createCluster('large', { workers: 7, control_planes: 3 });
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto('/cluster/large');
  // Pods in the cards are list items, too.
  const cards = page.locator('sw-node-cards > ul > li');
  await expect(cards).toHaveCount(11);
  const rows = await page.evaluate<number[]>(
    `[...document.querySelectorAll('sw-node-cards > ul > li')].map((card) => Math.round(card.getBoundingClientRect().top))`,
  );
  expect(rows).toHaveLength(11);
  for (const row of new Set(rows)) expect(rows.filter((top) => top === row).length).toBeLessThanOrEqual(3);
  await expect(page.getByText(/10 of 10 nodes and/)).toBeVisible();
});

test('copies and downloads kubeconfigs and node logs, loaded on demand', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.createCluster('staging');
  let requests = 0;
  page.on('request', (request) => {
    if (/\/kubeconfig(\/docker)?(\?|$)/.test(request.url())) requests += 1;
  });
  await page.goto('/cluster/staging');
  await page.getByRole('button', { name: 'Kubeconfig' }).click();
  await page.getByRole('menuitem', { name: 'All access options' }).click();
  await expect(page.getByRole('link', { name: 'Access', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  const access = page.getByRole('region', { name: 'Access' });
  await expect(access).toContainText('cluster-admin credentials');
  for (const [place, file, server, command] of [
    [
      access.getByRole('region', { name: 'Kubeconfig file' }),
      'staging.kubeconfig.yaml',
      /server: https:\/\/127\.0\.0\.1:\d+/,
      'kubectl --kubeconfig staging.kubeconfig.yaml get nodes',
    ],
    [
      access.getByRole('group', { name: 'Cluster network' }),
      'staging.network.kubeconfig.yaml',
      'server: https://staging-control-plane:6443',
      'docker run --rm --network kind -v "$PWD/staging.network.kubeconfig.yaml:/kubeconfig:ro"',
    ],
    [
      access.getByRole('group', { name: 'Through the host' }),
      'staging.host.kubeconfig.yaml',
      'tls-server-name: localhost',
      '--network host --add-host host.demo.internal:127.0.0.1',
    ],
  ] as const) {
    await expect(place.getByRole('group', { name: 'Command' })).toContainText(command);
    expect(requests).toBe(0);
    await place.getByRole('button', { name: 'Copy', exact: true }).click();
    const copied = expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()'));
    await (typeof server === 'string' ? copied.toContain(server) : copied.toMatch(server));
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(file);
    expect(requests).toBe(2);
    requests = 0;
  }
  expect(await page.content()).not.toContain('certificate-authority-data');
  const [logs] = await Promise.all([
    page.waitForEvent('download'),
    access.getByRole('button', { name: 'Download' }).last().click(),
  ]);
  expect(logs.suggestedFilename()).toBe('staging-logs.tar.gz');
});

test('shows that a cluster was deleted elsewhere', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  await expect(page.getByText(/Running for/).first()).toBeVisible();
  // All requests for the cluster complete before it is deleted.
  await expect(page.getByRole('region', { name: 'Addons' })).toContainText('Metrics Server');
  await expect(page.getByRole('list', { name: 'Other kinds' })).toBeVisible();
  await product.call('DELETE', '/clusters/staging');
  await expect(page.getByRole('heading', { name: 'Cluster staging does not exist' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Journal' }).click();
  await expect(page.getByRole('row', { name: /Deleted/ }).first()).toBeVisible();
});

test.describe('during its creation', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '2' } });

  test('shows the progress and the growing provision log', async ({ page, product }) => {
    await product.call('POST', '/clusters', { name: 'staging', workers: 1, node_image_tag: 'v1.34.4' });
    await page.goto('/cluster/staging');
    const work = page.getByRole('region', { name: 'Running job' });
    await expect(work.getByRole('progressbar')).toBeVisible();
    await expect(page.getByText(/^Creating/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Stop|Delete)/ })).toHaveCount(0);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Access' })).toContainText(
      'while the cluster is being created',
    );
    await page.getByRole('link', { name: 'Provision log' }).click();
    const log = page.getByRole('region', { name: 'Provision log' });
    await expect(log.getByRole('img', { name: 'Running' })).toBeVisible();
    await expect(page.getByText(/Running for/)).toBeVisible({ timeout: 60_000 });
    await expect(log.getByRole('img', { name: 'Succeeded' })).toHaveCount(11);
    await expect(work).toHaveCount(0);
  });
});

test('shows an unavailable engine, missing containers and a stopped node', async ({
  page,
  product,
  guard,
}) => {
  // The cluster exists in that engine only on the page.
  guard.expect(/404.*(provision-log|images|kubeconfig\/merge|forwards)/);
  await product.createCluster('staging');
  let change = (row: ClusterRow): object => ({
    ...row,
    runtime: 'docker',
    state: 'unknown',
    state_reason: 'the socket does not respond',
  });
  await changeClusters(page, (rows) => rows.map((row) => change(row)));
  await page.goto('/cluster/staging');
  await expect(page.getByRole('note').filter({ hasText: 'docker does not respond.' })).toBeVisible();
  await expect(page.getByText('The socket does not respond.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Start|Stop|Delete)/ })).toHaveCount(0);
  const cards = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(cards.first()).toContainText('Last seen');
  await expect(cards.first().getByRole('meter')).toHaveCount(0);

  change = (row) => ({
    ...row,
    state: 'missing',
    state_reason: 'its containers were removed outside Slipway',
    nodes: [],
  });
  await page.reload();
  await expect(page.getByText('The containers are missing.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete' })).toBeEnabled();

  change = (row) => ({
    ...row,
    state: 'degraded',
    state_reason: 'staging-worker is not running, exit status 137',
    nodes: row.nodes.map((node) => (node.name === 'staging-worker' ? { ...node, state: 'exited' } : node)),
  });
  await page.reload();
  await expect(page.getByText(/Degraded.*: staging-worker is not running, exit status 137\./)).toBeVisible();
  await expect(page.getByText('Repair starts the stopped nodes')).toBeVisible();
  await expect(cards.last()).toContainText('Not running');
});
