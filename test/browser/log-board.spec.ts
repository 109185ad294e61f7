import { expect, open, startBoard, test } from './support/board-fixtures.js';

test('shows the frame and title of each page, and a link back for an unknown URL', async ({
  page,
  guard,
}) => {
  guard.expect(/status of 404/);
  await open(page, '/lgos');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await page.getByRole('link', { name: 'To the logs' }).click();
  await expect(page).toHaveURL(/\/logs$/);
  const pills = page.getByRole('navigation', { name: 'Pages' });
  for (const [name, title] of [
    ['Logs', 'Logs · Slipway log board'],
    ['Sessions', 'Sessions · Slipway log board'],
  ] as const) {
    await pills.getByRole('link', { name }).click();
    await expect(page).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(pills.locator('[aria-current=page]')).toHaveText(name);
  }
  await page.getByRole('link', { name: 'Slipway Log board' }).click();
  await expect(page.getByText(/^Live/)).toBeVisible();
  const { origin } = new URL(page.url());
  await expect(page.locator('link[rel=icon]')).toHaveJSProperty('href', `${origin}/favicon.ico`);
  await page.getByRole('link', { name: 'Skip to content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
});

test('lists documentation, theme and sign-out in the menu', async ({ page }) => {
  await open(page, '/logs');
  await page.getByRole('button', { name: 'Menu' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Signed in as admin' })).toBeVisible();
  const windows = page.getByRole('menuitem').and(page.locator('a[target=_blank]'));
  await expect(windows).toHaveText([/^API documentation/, /^Alternative API documentation/, /^Health/]);
  await page.getByRole('menuitemradio', { name: 'Dark' }).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused();
  await page.goto('/logs');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('shows a lost connection, and restores it', async ({ page, guard }) => {
  guard.expect(/net::ERR_|WebSocket connection to/);
  const board = await startBoard();
  try {
    await open(page, `${board.boardOrigin}/logs`);
    await expect(page.getByText(/^Live/)).toBeVisible();
    await board.halt();
    await expect(page.getByText(/^Not connected/).first()).toBeVisible();
    await board.launch();
    // The session is valid: no password prompt.
    await expect(page.getByText(/^Live/)).toBeVisible();
  } finally {
    await page.close();
    await board.stop();
  }
});
