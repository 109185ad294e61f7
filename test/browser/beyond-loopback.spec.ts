import { expect, type Page } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import { enter, PASSWORD } from './support/board-fixtures.js';
import { HOST_NAME } from './support/browser-settings.js';
import { PageGuard } from './support/page-guard.js';
import { Product } from './support/product.js';
import { test as base } from './support/worker-fixtures.js';

let product: Product;
/** With the allowed host name. */
let origin: string;

/** A dashboard that listens on all addresses. */
const test = base.extend<{ guard: PageGuard }>({
  baseURL: async ({}, use) => {
    await use(origin);
  },
  guard: [
    async ({ page }, use) => {
      const guard = new PageGuard();
      // For a host name over plain HTTP, Chromium ignores this header with an error, and does not send
      // Sec-Fetch-Site: the sign-in page has to query whether there is a session.
      guard.expect(/Cross-Origin-Opener-Policy header has been ignored/, /status of 401.*\/api\/auth\/token/);
      await guard.watch(page);
      await use(guard);
      expect(guard.unexpected, 'errors of the page').toEqual([]);
    },
    { auto: true },
  ],
});

test.beforeAll(async () => {
  const port = await freePort();
  product = await Product.start({
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '100',
    APP_HOST: '0.0.0.0',
    APP_PORT: String(port),
    APP_ALLOWED_HOSTS: `${HOST_NAME}:${port}`,
    APP_PASS: PASSWORD,
  });
  origin = `http://${HOST_NAME}:${port}`;
});

test.afterAll(() => product.stop());

async function signInAt(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page).toHaveURL(/\/login\?/);
  await enter(page);
  await page.waitForURL((url) => url.pathname !== '/login');
}

test('requires a sign-in under any host name, and offers Sessions and Sign out in the menu', async ({
  page,
}) => {
  // On loopback too: requests through a proxy on this machine look the same.
  await page.goto(`${product.origin}/clusters`);
  await expect(page).toHaveURL(/\/login\?next=%2Fclusters$/);
  await expect(page).toHaveTitle('Sign in · Slipway');

  await page.goto('/journal?kind=job');
  await expect(page).toHaveURL(/\/login\?next=%2Fjournal%3Fkind%3Djob$/);
  await enter(page);
  await expect(page).toHaveURL(`${origin}/journal?kind=job`);
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();

  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('group', { name: 'Signed in as admin' })).toBeVisible();
  // Its session cookie is enough for the details.
  await expect(page.getByRole('menuitem', { name: 'Health' })).toHaveAttribute('href', '/api/v1/health');
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await expect(page).toHaveTitle('Sessions · Slipway');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fsessions$/);
});

test('pushes changes to the page over a WebSocket authenticated by a ticket', async ({ page }) => {
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const bearers = new Set<string>();
  page.on('request', (request) => bearers.add(request.headers()['authorization'] ?? ''));
  await signInAt(page, '/clusters');
  await expect(page.getByRole('button', { name: 'Create cluster' })).toBeVisible();
  await expect.poll(() => sockets.length).toBe(1);
  expect(sockets[0]).toMatch(/\/events\?token=[\w-]{32}$/);
  for (const bearer of bearers) expect(sockets[0]).not.toContain(bearer || 'Bearer');
  await expect(page.getByText('Reconnecting')).toHaveCount(0);

  // A cluster created by another client appears without a reload.
  await page.evaluate(`(async () => {
    const { access_token } = await (await fetch('/api/auth/token', { method: 'POST' })).json();
    const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'pushed', workers: 1, node_image_tag: 'v1.34.4', runtime: 'demo' });
    const response = await fetch('/api/v1/clusters', { method: 'POST', headers, body });
    if (!response.ok) throw new Error(await response.text());
  })()`);
  await expect(page.getByRole('link', { name: 'pushed' })).toBeVisible();
});

test('keeps the input of a form when the session is ended elsewhere', async ({ page, guard }) => {
  guard.expect(/status of 401/, /WebSocket connection to/);
  await signInAt(page, '/clusters');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('typed-before');
  await page.evaluate(`(async () => {
    const { access_token } = await (await fetch('/api/auth/token', { method: 'POST' })).json();
    await fetch('/api/auth/logout', { method: 'POST', headers: { authorization: 'Bearer ' + access_token } });
  })()`);
  const dialog = page.getByRole('dialog', { name: 'Your session was ended elsewhere' });
  await expect(dialog).toBeVisible();
  await enter(page);
  await expect(dialog).toHaveCount(0);
  await expect(name).toHaveValue('typed-before');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Reconnecting')).toHaveCount(0);
});
