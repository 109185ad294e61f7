import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startBoth, expect as baseExpect, open, test as base } from '../../browser/support/board-fixtures.js';
import type { Product } from '../../browser/support/product.js';
import { deleteWithKind, engines, engineSockets, run } from '../support/engines.js';

/** Pods start slowly beside so many lines. */
const expect = baseExpect.configure({ timeout: 60_000 });
const FLOOD = 10_000;

/** Both applications, with the engines of this machine. */
const test = base.extend<{ real: Product }>({
  real: async ({}, use) => {
    const product = await startBoth({ APP_RUNTIME: 'auto', ...engineSockets() });
    await use(product);
    await product.stop();
  },
  baseURL: async ({ real }, use) => {
    await use(real.boardOrigin);
  },
});

function deployment(name: string, script: string, limits: object = {}): object {
  const container = {
    ...{ name: 'main', image: 'busybox:1.36', imagePullPolicy: 'IfNotPresent' },
    ...{ command: ['sh', '-c', script], resources: { limits } },
  };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' } },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { terminationGracePeriodSeconds: 0, containers: [container] },
      },
    },
  };
}

const WORKLOADS = [
  deployment(
    'flood',
    `exec awk 'BEGIN { for (;;) { for (i = 0; i < ${FLOOD / 10}; i++) print "level=info msg=\\"request served\\" n=" ++n; system("sleep 0.1") } }'`,
  ),
  deployment(
    'orders',
    'echo level=info msg=starting; sleep 1; echo level=fatal msg=\\"no password for the database\\"; exit 3',
  ),
  deployment(
    'cache',
    'echo level=info msg=\\"loading all entries\\"; sleep 1; dd if=/dev/zero of=/dev/null bs=32M count=1 && exec sleep 3600',
    { memory: '24Mi' },
  ),
];

for (const engine of engines) {
  const name = `decisive-${engine}`;

  test(`on ${engine}: shows why Pods crash after two actions, beside ${FLOOD} lines a second`, async ({
    page,
    real,
  }) => {
    test.setTimeout(600_000);
    await deleteWithKind(engine, name);
    try {
      const image = process.env['APP_TEST_NODE_IMAGE'] ?? '';
      await real.createCluster(name, {
        ...{ workers: 0, runtime: engine },
        ...(image === '' ? {} : { node_image_tag: image.slice(image.lastIndexOf(':') + 1) }),
      });
      const file = join(real.dataDirectory, 'workloads.json');
      await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: WORKLOADS }));
      const kubeconfig = join(real.dataDirectory, 'clusters', name, 'kubeconfig');
      await run('kubectl', [`--kubeconfig=${kubeconfig}`, 'apply', `--filename=${file}`]);

      await test.step('the line of a crash, with one click on the log board', async () => {
        await open(page, '/logs');
        await expect(page.getByText(/^Live, \d{1,2},\d{3} lines per second/)).toBeVisible();
        await page.getByRole('button', { name: 'Errors, last hour' }).click();
        const lines = page.getByRole('grid', { name: 'Lines' });
        await expect(lines.getByText('no password for the database').first()).toBeInViewport();
      });

      await test.step('that of a container out of memory, with two on the dashboard', async () => {
        await page.goto(`${real.origin}/cluster/${name}?runtime=${engine}`);
        const wrong = page.getByRole('region', { name: 'What is wrong' });
        const cause = wrong.getByText(
          'Container main was killed because it exceeded its memory limit of 24Mi',
        );
        await expect(cause).toBeInViewport();
        await cause.click();
        const opened = page.waitForEvent('popup');
        await wrong.getByRole('link', { name: /^Logs of cache-/ }).click();
        const board = await opened;
        const lines = board.getByRole('grid', { name: 'Lines' });
        await expect(lines.getByText('Killed').first()).toBeInViewport();
        await expect(lines.getByText('loading all entries').first()).toBeInViewport();
      });
      // Requests of the page fail once the cluster is deleted.
      await page.goto('about:blank');
    } finally {
      await deleteWithKind(engine, name);
    }
  });
}
