import { expect, type Page } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import { PathProxy } from '../support/server/path-proxy.js';
import { enter, startBoth } from './support/board-fixtures.js';
import { guardFixture } from './support/page-guard.js';
import type { Product } from './support/product.js';
import { test as base } from './support/worker-fixtures.js';

let product: Product;
let proxy: PathProxy;
let origin: string;

const test = base.extend<{ guard: unknown }>({ guard: [...guardFixture] });

for (const removesPath of [false, true]) {
  test.describe(`behind a proxy that ${removesPath ? 'removes' : 'passes on'} the path`, () => {
    test.beforeAll(async () => {
      const [port, boardPort] = [await freePort(), await freePort()];
      const routes = [
        { path: '/slipway-logs', port: boardPort },
        { path: '/slipway', port },
      ];
      proxy = await PathProxy.start(routes, removesPath);
      origin = `http://127.0.0.1:${proxy.port}`;
      product = await startBoth({
        APP_PORT: String(port),
        APP_LOG_BOARD_PORT: String(boardPort),
        APP_PUBLIC_URL: `${origin}/slipway`,
        APP_LOG_BOARD_PUBLIC_URL: `${origin}/slipway-logs`,
        APP_TRUSTED_PROXIES: '127.0.0.1',
      });
    });

    test.afterAll(async () => {
      await proxy.stop();
      await product.stop();
    });

    test('serves pages, sockets, documentation and both applications', async ({ page, context }) => {
      const paths = requestsOf(page);
      const sockets: string[] = [];
      context.on('page', (opened) => opened.on('websocket', (socket) => sockets.push(socket.url())));
      page.on('websocket', (socket) => sockets.push(socket.url()));
      await page.goto(`${origin}/slipway/jobs`);
      await expect(page).toHaveURL(`${origin}/slipway/login?next=%2Fjobs`);
      await enter(page);
      await expect(page).toHaveURL(`${origin}/slipway/jobs`);
      await createCluster(page);

      await page.getByRole('link', { name: 'Clusters', exact: true }).click();
      await expect(page).toHaveURL(`${origin}/slipway/clusters`);
      const link = page.getByRole('link', { name: 'below', exact: true });
      await expect(link).toHaveAttribute('href', '/slipway/cluster/below?runtime=demo');
      await expect(page.getByRole('button', { name: 'More actions' }).first()).toBeVisible();
      await link.click();
      await expect(page.getByRole('heading', { name: 'below', exact: true })).toBeVisible();

      // A page that was opened by its address, which is reloaded, with a log that is followed.
      await page.goto(`${origin}/slipway/cluster/below/resources/core/v1/pods?runtime=demo&namespace=shop`);
      const row = page
        .getByRole('grid', { name: 'Pods of below' })
        .getByRole('link', { name: /^postgres-0/ });
      await expect(row).toHaveAttribute('href', /^\/slipway\/cluster\/below\//);
      await row.click();
      await page.getByRole('tab', { name: 'Logs' }).click();
      const log = page.getByRole('grid', { name: 'Log of postgres' });
      await expect(log.getByRole('row').first()).toBeVisible();
      await page.reload();
      await expect(log.getByRole('row').first()).toBeVisible();
      const toBoard = page.getByRole('link', { name: /^Open in log board/ });
      await expect(toBoard).toHaveAttribute('href', /^\/slipway\/log-board\?/);

      const [board] = await Promise.all([page.waitForEvent('popup'), toBoard.click()]);
      await expect(board).toHaveURL(new RegExp(`^${origin}/slipway-logs/logs\\?`));
      await expect(board.locator('sw-line-list').getByRole('row').first()).toBeVisible({ timeout: 60_000 });
      await board.getByRole('link', { name: 'Alerts', exact: true }).click();
      await expect(board).toHaveURL(`${origin}/slipway-logs/alerts`);
      await board.reload();
      await expect(board.getByRole('heading', { name: 'Alerts', exact: true })).toBeVisible();
      await board.getByRole('link', { name: 'Clusters' }).click();
      await expect(board).toHaveURL(`${origin}/slipway/clusters`);
      await board.close();

      await page.goto(`${origin}/slipway/documentation/security`);
      await page.getByRole('article').getByRole('link', { name: 'Behind a proxy' }).first().click();
      await expect(page).toHaveURL(`${origin}/slipway/documentation/proxy`);
      await page.goto(`${origin}/slipway/documentation`);
      await expect(page.getByRole('article').locator('img').first()).toHaveJSProperty('naturalWidth', 1280);

      for (const [name, path] of [
        ['API documentation', '/slipway/docs'],
        ['Health', '/slipway/api/v1/health'],
      ] as const) {
        await page.getByRole('button', { name: 'Menu' }).click();
        const entry = page.getByRole('menuitem', { name: `${name} (new window)`, exact: true });
        const [opened] = await Promise.all([page.waitForEvent('popup'), entry.click()]);
        await expect(opened).toHaveURL(origin + path);
        await expect(opened.getByText(name === 'Health' ? /"status"/ : 'Servers').first()).toBeVisible();
        await opened.close();
      }

      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect(page).toHaveURL(`${origin}/slipway/login?next=%2Fdocumentation`);
      expect(new Set(sockets.map((url) => new URL(url).pathname))).toEqual(
        new Set(['/slipway/events', '/slipway-logs/ws']),
      );
      expect([...paths].filter((path) => !/^\/slipway(?:-logs)?\//.test(path))).toEqual([]);
    });
  });
}

/** The paths of all requests to the proxy. */
function requestsOf(page: Page): Set<string> {
  const paths = new Set<string>();
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin === origin) paths.add(url.pathname);
  });
  return paths;
}

async function createCluster(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const { access_token } = await (await fetch('api/auth/token', { method: 'POST' })).json();
    const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'below', workers: 1, node_image_tag: 'v1.34.4', runtime: 'demo' });
    const response = await fetch('api/v1/clusters', { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
    const { status_url } = await response.json();
    for (;;) {
      const job = await (await fetch(status_url, { headers })).json();
      if (!['queued', 'running'].includes(job.state)) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })()`);
}
