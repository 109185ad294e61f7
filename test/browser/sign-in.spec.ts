import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { enter, expect, open, PASSWORD, test } from './support/board-fixtures.js';

test('marks its fields for password managers, and then opens the requested page', async ({ page }) => {
  await page.goto('/sessions?of=me#here');
  await expect(page).toHaveURL(/\/login\?next=%2Fsessions%3Fof%3Dme#here$/);
  await expect(page).toHaveTitle('Sign in · Slipway log board');
  const form = page.locator('form');
  await expect(form).toHaveAttribute('method', 'post');
  const user = page.getByLabel('User name');
  for (const [name, value] of [
    ['name', 'username'],
    ['type', 'text'],
    ['autocomplete', 'username'],
    ['autocapitalize', 'none'],
    ['spellcheck', 'false'],
  ] as const) {
    await expect(user).toHaveAttribute(name, value);
  }
  const password = page.getByLabel('Password', { exact: true });
  for (const [name, value] of [
    ['name', 'password'],
    ['type', 'password'],
    ['autocomplete', 'current-password'],
  ] as const) {
    await expect(password).toHaveAttribute(name, value);
  }
  await expect(form.locator('input')).toHaveCount(2);
  await expect(form.locator('button[type=submit]')).toHaveText('Sign in');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  await expect(page.locator('noscript')).toHaveCount(1);
  await enter(page);
  await expect(page).toHaveURL(/\/sessions\?of=me#here$/);
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('sends what a password manager filled in without key events', async ({ page }) => {
  await page.goto('/logs');
  await page.getByLabel('User name').waitFor();
  await page.evaluate(`
    for (const [name, value] of ${JSON.stringify([
      ['username', 'admin'],
      ['password', PASSWORD],
    ])}) {
      const field = document.querySelector('input[name=' + name + ']');
      field.dispatchEvent(new Event('keydown', { bubbles: true }));
      field.value = value;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
    document.querySelector('form').requestSubmit();
  `);
  await expect(page).toHaveURL(/\/logs$/);
});

test('signs in by keyboard only, with a visible focus', async ({ page }) => {
  await page.goto('/logs');
  await expect(page.getByLabel('User name')).toBeFocused();
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await holdCapsLock(page, true);
  await expect(page.getByText('Caps Lock is on.')).toBeVisible();
  await holdCapsLock(page, false);
  await expect(page.getByText('Caps Lock is on.')).toHaveCount(0);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Tab');
  const reveal = page.getByRole('button', { name: 'Show password' });
  await expect(reveal).toBeFocused();
  await expect(reveal).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'text');
  await expect(reveal).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'password');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/logs$/);
});

test('shows a wrong password at its field', async ({ page, guard }) => {
  guard.expect(/status of 401.*\/api\/auth\/login/);
  await page.goto('/logs');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('Enter the user name and the password.');
  await expect(page.getByLabel('User name')).toBeFocused();
  await enter(page, { password: 'wrong' });
  await expect(page.getByRole('alert')).toHaveText('The user name or password is wrong.');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await expect(password).toHaveAccessibleDescription(/The user name or password is wrong/);
  await expectAccessible(page);
  // The input is selected: typing replaces it.
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/logs$/);
});

test('counts down after too many failed attempts, and signs in at the end if Enter was pressed meanwhile', async ({
  page,
  guard,
}) => {
  guard.expect(/status of 401.*\/api\/auth\/login/);
  await page.clock.install();
  await page.goto('/logs');
  // The server's first delays are too short to see on a busy machine.
  await page.route('**/api/auth/login', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as object;
    await route.fulfill({ response, json: { ...body, details: { retry_after_seconds: 50 } } });
  });
  await enter(page, { password: 'still wrong' });
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText('The user name or password is wrong. Try again in 50 seconds.');
  await expect(page.getByText(/Try again in (50|[34]\d) s\./)).toBeVisible();
  await page.unroute('**/api/auth/login');
  await enter(page);
  await expect(alert).toHaveText('Signs in when the wait is over.');
  await expect(page.getByRole('button', { name: 'Sign in' })).toHaveAttribute('aria-disabled', 'true');
  await page.clock.fastForward(51_000);
  await expect(page).toHaveURL(/\/logs$/);
});

test('shows that the server does not respond, and a running sign-in, which it sends once', async ({
  page,
  guard,
}) => {
  guard.expect(/net::ERR_FAILED/);
  await page.goto('/logs');
  await page.route('**/api/auth/login', (route) => route.abort());
  await enter(page);
  await expect(page.getByRole('alert')).toHaveText('Slipway does not respond. Check that it is running.');
  await page.unroute('**/api/auth/login');

  let sent = 0;
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/auth/login', async (route) => {
    sent += 1;
    await gate;
    await route.continue();
  });
  await enter(page);
  const button = page.getByRole('button', { name: 'Signing in' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  release();
  await expect(page).toHaveURL(/\/logs$/);
  expect(sent).toBe(1);
});

test('never redirects to another site after the sign-in', async ({ page, board }) => {
  const origins = new Set<string>();
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto('/login?next=https%3A%2F%2Fevil.example%2F');
  await enter(page);
  await expect(page).toHaveURL(`${board.boardOrigin}/logs`);
  await page.goto(`/login?${new URLSearchParams({ next: '/\\evil.example/' }).toString()}`);
  await expect(page).toHaveURL(`${board.boardOrigin}/logs`);
  expect([...origins]).toEqual([board.boardOrigin]);
});

test('skips the sign-in page with an active session, also from a link of another site', async ({
  page,
  board,
}) => {
  await open(page, '/logs');
  await page.goto('/login?next=%2Fsessions');
  await expect(page).toHaveURL(/\/sessions$/);
  // The browser withholds the SameSite cookie for such links; the page then checks the session itself.
  await page.route('http://elsewhere.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${board.boardOrigin}/sessions">logs</a>` }),
  );
  await page.goto('http://elsewhere.test/');
  await page.getByRole('link').click();
  await expect(page).toHaveURL(`${board.boardOrigin}/sessions`);
  await expect(page.getByText('This session')).toBeVisible();
});

test('keeps tokens out of URLs, storage and referrers', async ({ page, context, board }) => {
  const secrets: string[] = [];
  const seen: { url: string; referrer: string }[] = [];
  page.on('request', (request) => {
    const { authorization, referer = '' } = request.headers();
    if (authorization) secrets.push(authorization.replace('Bearer ', ''));
    seen.push({ url: request.url(), referrer: referer });
  });
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  await page.goto('/logs?x=1');
  await enter(page);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  expect(secrets.length).toBeGreaterThan(0);
  expect(sockets).toHaveLength(1);
  // A one-time ticket, not a token.
  const ticket = /^ws:\/\/[^/]+\/ws\?token=([\w-]{32})$/.exec(sockets[0] ?? '')?.[1] ?? '';
  expect(secrets).not.toContain(ticket);
  for (const { url, referrer } of seen) {
    expect(referrer).toBe('');
    for (const secret of [...secrets, ticket, PASSWORD]) {
      expect(decodeURIComponent(url)).not.toContain(secret);
    }
  }
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state])',
  );
  for (const secret of secrets) expect(stored).not.toContain(secret);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  const document = await board.board.send('GET', '/login', { headers: { accept: 'text/html' } });
  expect(document.headers['referrer-policy']).toBe('no-referrer');
});

test('shows the API documentation after the sign-in', async ({ page, guard }) => {
  await page.goto('/docs');
  await expect(page).toHaveURL(/\/login\?next=%2Fdocs$/);
  await enter(page);
  await expect(page).toHaveURL(/\/docs$/);
  await expect(page.getByRole('heading', { name: /Slipway log board/ })).toContainText('2.0.0');
  await expect(page.getByRole('button', { name: 'Authorize' })).toBeVisible();
  // Swagger UI requests a favicon that does not exist.
  guard.expect(/favicon/);
});

test('leads to the sign-in page after signing out, even when going back', async ({ page, guard }) => {
  guard.expect(/net::ERR_FAILED/);
  await open(page, '/sessions');
  await page.route('**/api/auth/logout', (route) => route.abort());
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('log')).toContainText('Could not sign out.');
  await expect(page).toHaveURL(/\/sessions$/);
  await page.unroute('**/api/auth/logout');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login\?next=%2Fsessions$/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('shows that JavaScript is required when it is disabled', async ({ browser, board }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${board.boardOrigin}/login`);
  const notice = page.locator('noscript p');
  await expect(notice).toBeVisible();
  expect(await notice.textContent()).toContain('Slipway requires JavaScript');
  await context.close();
});

/** Simulated, because Playwright's keyboard has no Caps Lock. */
async function holdCapsLock(page: Page, on: boolean): Promise<void> {
  await page.evaluate(`document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'A', modifierCapsLock: ${on}, bubbles: true }))`);
}
