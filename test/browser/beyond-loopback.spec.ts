import { expect, type Page, test as base } from '@playwright/test';
import { freePort } from '../support/free-port.js';
import { enter, PASSWORD } from './support/board-fixtures.js';
import { browserSettings } from './support/browser-settings.js';
import { PageGuard } from './support/page-guard.js';
import { Product } from './support/product.js';

/** A name that only the browser under test knows. */
const NAME = 'slipway.test';

interface Dashboard {
  product: Product;
  /** Under the allowed name. */
  origin: string;
}

/** A dashboard that listens on every address, for the tests of one worker. */
const test = base.extend<{ guard: PageGuard }, { dashboard: Dashboard }>({
  dashboard: [
    async ({}, use) => {
      const port = await freePort();
      const product = await Product.start({
        APP_RUNTIME: 'demo',
        APP_DEMO_SPEED: '100',
        APP_HOST: '0.0.0.0',
        APP_PORT: String(port),
        APP_ALLOWED_HOSTS: `${NAME}:${port}`,
        APP_PASS: PASSWORD,
      });
      await use({ product, origin: `http://${NAME}:${port}` });
      await product.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ dashboard }, use) => {
    await use(dashboard.origin);
  },
  guard: [
    async ({ page }, use) => {
      const guard = new PageGuard();
      // Over plain HTTP to a name, Chromium passes this header over and says so. And it does not tell the server
      // where a request comes from: the sign-in page asks for itself whether there is a session.
      guard.expect(/Cross-Origin-Opener-Policy header has been ignored/, /status of 401.*\/api\/auth\/token/);
      await guard.watch(page);
      await use(guard);
      expect(guard.complaints, 'what the page complained of').toEqual([]);
    },
    { auto: true },
  ],
});

const { launchOptions } = browserSettings();
test.use({
  launchOptions: {
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
  },
});

async function signInAt(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page).toHaveURL(/\/login\?/);
  await enter(page);
  await page.waitForURL((url) => url.pathname !== '/login');
}

test('the dashboard asks for the sign-in under any name, and then shows what was asked for', async ({
  page,
  dashboard,
}) => {
  // From this machine too: whoever forwards to it looks the same.
  await page.goto(`${dashboard.product.origin}/clusters`);
  await expect(page).toHaveURL(/\/login\?next=%2Fclusters$/);
  await expect(page).toHaveTitle('Sign in · Slipway');

  await page.goto('/journal?kind=job');
  await expect(page).toHaveURL(/\/login\?next=%2Fjournal%3Fkind%3Djob$/);
  await enter(page);
  await expect(page).toHaveURL(`${dashboard.origin}/journal?kind=job`);
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Journal' })).toBeVisible();
});

test('what changes is pushed to the page, by a socket with a ticket', async ({ page }) => {
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const bearers = new Set<string>();
  page.on('request', (request) => bearers.add(request.headers()['authorization'] ?? ''));
  await signInAt(page, '/clusters');
  await expect(page.getByRole('button', { name: /^(New cluster|Create the first one)$/ })).toBeVisible();
  await expect.poll(() => sockets.length).toBe(1);
  expect(sockets[0]).toMatch(/\/events\?token=[\w-]{32}$/);
  for (const bearer of bearers) expect(sockets[0]).not.toContain(bearer || 'Bearer');
  await expect(page.getByText('Reconnecting')).toHaveCount(0);

  // A cluster that another program makes is there without asking.
  await page.evaluate(`(async () => {
    const { access_token } = await (await fetch('/api/auth/token', { method: 'POST' })).json();
    const headers = { authorization: 'Bearer ' + access_token, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'pushed', workers: 1, node_image_tag: 'v1.34.4', runtime: 'demo' });
    const answer = await fetch('/api/v1/clusters', { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  })()`);
  await expect(page.getByRole('link', { name: 'pushed' })).toBeVisible({ timeout: 5000 });
});

test('the sign-out and the sessions are in the menu, and what needs the API’s token is not', async ({
  page,
}) => {
  await signInAt(page, '/diagnostics');
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('group', { name: 'Signed in as admin' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Health' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Sessions' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await expect(page).toHaveTitle('Sessions · Slipway');
  await page.goto('/docs');
  await expect(page.getByRole('heading', { name: /^Slipway/ })).toBeVisible();
  await page.goto('/diagnostics');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fdiagnostics$/);
});

test('a session that ends elsewhere costs nothing of what was typed', async ({ page, guard }) => {
  guard.expect(/status of 401/, /WebSocket connection to/);
  await signInAt(page, '/clusters');
  await page.getByRole('button', { name: /^(New cluster|Create the first one)$/ }).click();
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

test('on loopback there is no sign-in, and no trace of one', async ({ page }) => {
  const open = await Product.start({ APP_RUNTIME: 'demo' });
  try {
    await page.goto(`${open.origin}/login?next=%2Fdiagnostics`);
    await expect(page).toHaveURL(`${open.origin}/diagnostics`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Health (new window)' })).toBeVisible();
    await expect(page.getByText(/Sign out|Sessions|Signed in/)).toHaveCount(0);
  } finally {
    await page.close();
    await open.stop();
  }
});
