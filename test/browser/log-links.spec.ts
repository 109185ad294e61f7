import type { Locator, Page } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import * as boards from './support/board-fixtures.js';
import { expect, test as base } from './support/fixtures.js';
import { Product } from './support/product.js';
import { ScriptedLogs } from './support/scripted-logs.js';

const { enter, open, PASSWORD } = boards;

/** Both applications, which link to each other. */
const test = base.extend({
  product: async ({}, use) => {
    const environment = {
      APP_RUNTIME: 'demo',
      APP_DEMO_SPEED: '100',
      APP_DEMO_FAILURES: 'start',
      APP_PASS: PASSWORD,
      APP_LOG_BOARD_PORT: String(await freePort()),
    };
    const product = await Product.start(environment, ['dashboard', 'log-board']);
    await use(product);
    await product.stop();
  },
});

/** Opens a link in its new window. */
async function follow(link: Locator): Promise<Page> {
  const [board] = await Promise.all([link.page().context().waitForEvent('page'), link.click()]);
  await board.waitForLoadState();
  if (new URL(board.url()).pathname === '/login') await enter(board);
  await board.waitForURL(({ pathname }) => pathname === '/logs');
  await expect(board.locator('.ll').first()).toBeVisible({ timeout: 30_000 });
  return board;
}

/** Names of the selected sources. */
async function chosen(board: Page): Promise<string[]> {
  const items = board.locator('[role=treeitem][aria-checked=true]:not([aria-expanded])');
  return (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
}

test('links of a node, a pod, a workload and a failed job open their lines', async ({ page, product }) => {
  await product.createCluster('staging');
  await page.goto('/cluster/staging?runtime=demo');
  const node = await follow(page.getByRole('link', { name: 'Logs of staging-worker, in a new window' }));
  await expect(node).toHaveURL(/runtime=demo&cluster=staging&node=staging-worker/);
  const ofNode = await chosen(node);
  expect(ofNode.length).toBeGreaterThan(0);
  expect(ofNode.filter((name) => !name.startsWith('worker '))).toEqual([]);
  await node.close();

  const pods = '/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop';
  await page.goto(pods);
  await page
    .getByRole('grid', { name: 'Pods of staging' })
    .getByRole('link', { name: /^postgres-0/ })
    .click();
  const pod = await follow(page.getByRole('link', { name: 'Logs of postgres-0, in a new window' }));
  await expect(pod).toHaveURL(/namespace=shop&pod=postgres-0/);
  const ofPod = await chosen(pod);
  expect(ofPod.length).toBeGreaterThan(0);
  expect(ofPod.filter((name) => !name.startsWith('postgres'))).toEqual([]);
  await pod.close();

  // Leaves the page of the pod, which would request it again when the cluster stops.
  await page.goto('/clusters');
  await product.call('POST', '/clusters/staging/stop?runtime=demo');
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText('Stopped');
  const { job_id } = await product.call<{ job_id: number }>('POST', '/clusters/staging/start?runtime=demo');
  await page.goto(`/jobs?job=${job_id}`);
  const job = await follow(page.getByRole('link', { name: 'Logs of staging, in a new window' }));
  // The time range of the finished job.
  await expect(job).toHaveURL(/\/logs\?runtime=demo&cluster=staging&from=2[^&]+Z&to=2[^&]+Z$/);
  expect((await chosen(job)).length).toBeGreaterThan(0);
  await expect(job.getByRole('treeitem', { name: 'staging', exact: true, checked: true })).toBeVisible();
});

boards.test('every way to name what is wanted chooses it, and nothing else', async ({ page }) => {
  const logs = new ScriptedLogs();
  const pod = { kind: 'pod', cluster: 'dev', namespace: 'shop', container: null } as const;
  const cart = { ...pod, workload: 'Deployment/cart' };
  logs.add({ ...cart, key: 'pod/1', name: 'cart-7d9f8b6c54-x2lqp' }, 5);
  logs.add({ ...cart, key: 'pod/2', name: 'cart-7d9f8b6c54-kz7rv' }, 5);
  logs.add({ ...pod, key: 'pod/3', name: 'cart', workload: 'Job/cart', namespace: 'other' }, 5);
  const node = { cluster: 'dev', name: 'dev-worker' };
  logs.add({ ...node, kind: 'node', key: 'node/4', service: 'kubelet' }, 5);
  logs.add({ ...node, kind: 'container', key: 'container/5' }, 5);
  logs.add({ name: 'redis', runtime: 'podman', key: 'container/6' }, 5);
  logs.add({ ...cart, cluster: 'prod', runtime: 'podman', key: 'pod/7', name: 'cart-1' }, 5);
  await logs.serve(page);
  await open(page, '/logs');
  for (const [address, count] of [
    ['runtime=docker', 5],
    ['runtime=podman', 2],
    ['cluster=dev', 5],
    ['cluster=dev&runtime=podman', 0],
    ['cluster=dev&namespace=shop', 2],
    ['workload=cart', 4],
    ['workload=Deployment/cart', 3],
    ['cluster=dev&workload=Deployment/cart', 2],
    ['cluster=dev&node=dev-worker', 2],
    ['cluster=dev&namespace=shop&pod=cart-7d9f8b6c54-x2lqp', 1],
    ['container=redis', 1],
  ] as const) {
    await page.goto(`/logs?${address}`);
    await expect(page.getByText(`${count} of 7 sources`), address).toBeVisible();
    await expect(page.locator('.ll'), address).toHaveCount(count * 5);
  }
});

boards.test(
  'a link to a line shows it though a search finds nothing, or says that it is outside',
  async ({ page }) => {
    const logs = new ScriptedLogs();
    logs.add({ name: 'shop' }, 9000);
    await logs.serve(page);
    const line = 'sources=container/docker/shop&line=container/docker/shop@4000';
    await open(page, `/logs?${line}&q=nowhere`);
    await expect(page.locator('[data-at="4000"]')).toBeInViewport();
    await expect(page.locator('.ll.cursor')).toHaveText(/line 4000 of shop/);
    await expect(page.getByText('0 matches in 9,000 lines')).toBeVisible();
    const details = page.getByRole('complementary', { name: 'Line', exact: true });
    await expect(details.getByText('4,000 of its source')).toBeVisible();
    const clear = page.getByRole('button', { name: 'Clear filter' });
    await expect(clear).toBeVisible();
    await page.getByRole('button', { name: 'Matches', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
    await clear.click();
    await expect(page).not.toHaveURL(/q=/);
    await expect(page.locator('.ll').first()).toBeVisible();

    for (const [from, to] of [
      ['2026-11-21T09:00:06Z', '2026-11-21T09:00:07Z'],
      // The time range has no lines.
      ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z'],
    ] as const) {
      await page.goto(`/logs?${line}&from=${from}&to=${to}`);
      const said = page.getByRole('log');
      await expect(said).toContainText('Line not shown It is outside the selected time range.');
      await said.getByRole('button', { name: 'Clear time range' }).click();
      await expect(page).not.toHaveURL(/from=|to=/);
      await expect(page.locator('[data-at="4000"]')).toBeInViewport();
      await expect(details.getByText('4,000 of its source')).toBeVisible();
    }
  },
);
