import { expectAccessible } from './support/accessibility.js';
import { changeClusters, type ClusterRow } from './support/changed-clusters.js';
import { expect, test } from './support/fixtures.js';

test('shows what a cluster is, what its nodes use, and how it was made', async ({ page, product }) => {
  const id = await product.createCluster('staging', { workers: 2 });
  await page.goto('/cluster/staging');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect(crumbs.getByText('staging')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('heading', { level: 1, name: 'staging' })).toBeVisible();
  await expect(
    page.getByText(/Running for \d+ s\. 3 of 3 nodes are ready, and \d+ of \d+ pods\./),
  ).toBeVisible();
  await expect(page.getByText('https://127.0.0.1:')).toBeVisible();
  await expect(page.getByText('docker.io/kindest/node:v1.34.4', { exact: true })).toBeVisible();

  const cards = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(cards).toHaveCount(3);
  await expect(cards.first().getByRole('meter', { name: 'CPU of staging-control-plane' })).toBeVisible();
  await expect(cards.first()).toContainText(/of \d+ cores?/);
  await expect(page.getByText('page cache left out')).toBeVisible();

  const log = page.getByRole('region', { name: 'Provision log' });
  await log.getByText('Preparing nodes', { exact: true }).click();
  await expect(log.getByRole('group', { name: 'Output of: Preparing nodes' })).toContainText(
    'Writing configuration',
  );
  await expect(log.getByRole('img', { name: 'Succeeded' })).toHaveCount(11);

  await expect(
    page.getByRole('region', { name: 'Jobs' }).getByRole('link', { name: /Create/ }),
  ).toHaveAttribute('href', `/jobs?job=${id}`);
  await expectAccessible(page);
  await crumbs.getByRole('link', { name: 'Clusters' }).click();
  await expect(page).toHaveURL(/\/clusters$/);
});

test('its cards stand at most three in a row', async ({ page, product }) => {
  await product.createCluster('large', { workers: 7, control_planes: 3 });
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto('/cluster/large');
  const cards = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(cards).toHaveCount(11);
  const rows = await page.evaluate<number[]>(
    `[...document.querySelectorAll('sw-node-cards li')].map((card) => Math.round(card.getBoundingClientRect().top))`,
  );
  expect(rows).toHaveLength(11);
  for (const row of new Set(rows)) expect(rows.filter((top) => top === row).length).toBeLessThanOrEqual(3);
  await expect(page.getByText(/10 of 10 nodes are ready/)).toBeVisible();
});

test('a kubeconfig is asked for when it is wanted, copied and saved, for this machine and for containers', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await product.createCluster('staging');
  let asked = 0;
  page.on('request', (request) => {
    if (/\/kubeconfig(\/docker)?(\?|$)/.test(request.url())) asked += 1;
  });
  await page.goto('/cluster/staging');
  const access = page.getByRole('region', { name: 'Access' });
  await expect(access).toContainText('credentials of the cluster’s administrator');
  for (const [place, file, server, command] of [
    [
      access.getByRole('region', { name: 'For this machine' }),
      'staging.kubeconfig.yaml',
      /server: https:\/\/127\.0\.0\.1:\d+/,
      'kubectl --kubeconfig staging.kubeconfig.yaml get nodes',
    ],
    [
      access.getByRole('group', { name: 'On the cluster’s network' }),
      'staging.network.kubeconfig.yaml',
      'server: https://staging-control-plane:6443',
      'docker run --rm --network kind -v "$PWD/staging.network.kubeconfig.yaml:/kubeconfig:ro"',
    ],
    [
      access.getByRole('group', { name: 'Through this machine' }),
      'staging.host.kubeconfig.yaml',
      'tls-server-name: localhost',
      '--network host --add-host host.demo.internal:127.0.0.1',
    ],
  ] as const) {
    await expect(place.getByRole('group', { name: 'Command' })).toContainText(command);
    expect(asked).toBe(0);
    await place.getByRole('button', { name: 'Copy', exact: true }).click();
    const copied = expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()'));
    await (typeof server === 'string' ? copied.toContain(server) : copied.toMatch(server));
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      place.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(file);
    expect(asked).toBe(2);
    asked = 0;
  }
  expect(await page.content()).not.toContain('certificate-authority-data');
  const [logs] = await Promise.all([
    page.waitForEvent('download'),
    access.getByRole('button', { name: 'Save' }).last().click(),
  ]);
  expect(logs.suggestedFilename()).toBe('staging-logs.tar.gz');
});

test('is deleted after a question that names what is lost, and leads to the list', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  await page.getByRole('button', { name: 'More actions for staging' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('staging-control-plane');
  await question.getByRole('button', { name: 'Delete staging' }).click();
  await expect(page).toHaveURL(/\/clusters$/);
  await expect(page.getByText('staging was deleted.')).toBeVisible();
});

test('a cluster that is not there, and one that goes while one looks', async ({ page, product }) => {
  await page.goto('/cluster/nothing');
  await expect(page.getByRole('heading', { name: 'There is no cluster called nothing' })).toBeVisible();
  await product.createCluster('staging');
  await page.goto('/cluster/staging');
  await expect(page.getByText(/Running for/).first()).toBeVisible();
  // Whatever the page asks the cluster for has been answered before the cluster goes.
  await expect(page.getByRole('region', { name: 'Addons' })).toContainText('Metrics Server');
  await expect(page.getByRole('list', { name: 'Other kinds' })).toBeVisible();
  await product.call('DELETE', '/clusters/staging');
  await expect(page.getByRole('heading', { name: 'staging is gone' })).toBeVisible();
  await page.getByRole('link', { name: 'Its journal' }).click();
  await expect(page.getByRole('row', { name: /Deleted/ })).toBeVisible();
});

test.describe('while it is made', () => {
  test.use({ environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '2' } });

  test('its progress and its log grow until it runs', async ({ page, product }) => {
    await product.call('POST', '/clusters', { name: 'staging', workers: 1, node_image_tag: 'v1.34.4' });
    await page.goto('/cluster/staging');
    const work = page.getByRole('region', { name: 'Job at work' });
    await expect(work.getByRole('progressbar')).toBeVisible();
    await expect(page.getByText(/^Creating/).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^(Stop|Delete)/ })).toHaveCount(0);
    const log = page.getByRole('region', { name: 'Provision log' });
    await expect(log.getByRole('img', { name: 'Running' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Access' })).toContainText('still being created');
    await expect(page.getByText(/Running for/)).toBeVisible({ timeout: 20_000 });
    await expect(log.getByRole('img', { name: 'Succeeded' })).toHaveCount(11);
    await expect(work).toHaveCount(0);
  });
});

test.describe('whose creation failed', () => {
  test.use({
    environment: { APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100', APP_DEMO_FAILURES: 'create:joining-workers' },
  });

  test('says why and what to do, and offers the logs of nodes that were kept', async ({ page, product }) => {
    await product.createCluster('mesh', { keep_on_failure: true });
    await page.goto('/cluster/mesh');
    const why = page.getByRole('alert');
    await expect(why).toContainText('The demo fails here');
    await expect(why).toContainText('their logs can be saved below');
    const logs = why.getByRole('link', { name: 'Logs of mesh, in a new window' });
    await expect(logs).toHaveAttribute('href', /^\/log-board\?runtime=demo&cluster=mesh&from=2.*&to=2/);
    await expect(page.getByRole('region', { name: 'Access' })).toContainText('Logs of the nodes');
    const log = page.getByRole('region', { name: 'Provision log' });
    await expect(log.getByRole('group', { name: 'Output of: Joining worker nodes' })).toBeVisible();
    await expectAccessible(page);
  });
});

test('of an engine that went away, what was last seen stays and nothing can be done', async ({
  page,
  product,
  guard,
}) => {
  // There is no such cluster in that engine, other than on the page.
  guard.expect(/404.*(provision-log|images|kubeconfig\/merge)/);
  await product.createCluster('staging');
  await changeClusters(page, (rows) =>
    rows.map((row) => ({
      ...row,
      runtime: 'docker',
      state: 'unknown',
      state_reason: 'the socket does not answer',
    })),
  );
  await page.goto('/cluster/staging?runtime=docker');
  await expect(page.getByRole('heading', { name: 'docker does not answer' })).toBeVisible();
  await expect(page.getByText('The socket does not answer.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Start|Stop|Delete)/ })).toHaveCount(0);
  const cards = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem');
  await expect(cards.first()).toContainText('Last seen');
  await expect(cards.first().getByRole('meter')).toHaveCount(0);
});

test('with missing containers, or with a node that stopped, it says so', async ({ page, product }) => {
  await product.createCluster('staging');
  let change = (row: ClusterRow): object => ({
    ...row,
    state: 'missing',
    state_reason: 'its containers were removed outside Slipway',
    nodes: [],
  });
  await changeClusters(page, (rows) => rows.map((row) => change(row)));
  await page.goto('/cluster/staging');
  await expect(page.getByRole('heading', { name: 'Its containers are gone' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete' })).toBeEnabled();
  change = (row) => ({
    ...row,
    state: 'degraded',
    state_reason: 'staging-worker is not running, exit status 137',
    nodes: row.nodes.map((node) => (node.name === 'staging-worker' ? { ...node, state: 'exited' } : node)),
  });
  await page.reload();
  await expect(page.getByText(/Degraded.*: staging-worker is not running, exit status 137\./)).toBeVisible();
  await expect(page.getByText('A repair starts what does not run')).toBeVisible();
  const worker = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem').last();
  await expect(worker).toContainText('Not running');
});

test('a name that two engines hold asks which one is meant', async ({ page, product }) => {
  await product.createCluster('staging');
  await changeClusters(page, (rows) => rows.flatMap((row) => [row, { ...row, runtime: 'podman' }]));
  await page.goto('/cluster/staging');
  await expect(
    page.getByRole('heading', { name: 'Several engines hold a cluster called staging' }),
  ).toBeVisible();
  await page.goto('/cluster/staging/config');
  await expect(page.getByRole('heading', { name: 'Config of staging' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'staging on podman' })).toHaveAttribute(
    'href',
    '/cluster/staging/config?runtime=podman',
  );
  await page.goto('/cluster/staging');
  await page.getByRole('link', { name: 'staging on demo' }).click();
  await expect(page).toHaveURL(/runtime=demo$/);
  await expect(page.getByText(/Running for/)).toBeVisible();
});

test('one that kind made by itself is marked, and no provision log is asked for', async ({
  page,
  product,
}) => {
  await product.createCluster('staging');
  await changeClusters(page, (rows) => rows.map((row) => ({ ...row, origin: 'adopted' })));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/cluster/staging');
  await expect(page.getByText('adopted', { exact: true })).toBeVisible();
  await expect(page.getByText('kind made this cluster outside Slipway')).toBeVisible();
  expect(asked.filter((url) => url.includes('/provision-log'))).toEqual([]);
  // It asks for other things of the cluster, so that nothing was heard is no silence.
  expect(asked.some((url) => url.includes('/clusters/staging/'))).toBe(true);
});
