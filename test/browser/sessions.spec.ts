import type { Browser, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { endAllElsewhere, enter, expect, open, startBoard, test } from './support/board-fixtures.js';
import type { Product } from './support/product.js';
import { createToken } from '../support/app/access-tokens.js';
import { signIn } from '../support/app/signed-in.js';

const UNAUTHORIZED = /status of 401/;

/** Starts a separate log board, because these tests end sessions. */
async function withBoard(page: Page, run: (board: Product) => Promise<void>): Promise<void> {
  const board = await startBoard();
  try {
    await run(board);
  } finally {
    await page.close();
    await board.stop();
  }
}

async function openElsewhere(browser: Browser, board: Product): Promise<Page> {
  const context = await browser.newContext({
    baseURL: board.boardOrigin,
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0 with-a-long-suffix',
  });
  const page = await context.newPage();
  await open(page, '/logs');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  return page;
}

test('lists all sessions, and ends one or all others', async ({ page, browser }) => {
  await withBoard(page, async (board) => {
    const elsewhere = await openElsewhere(browser, board);
    await signIn({ client: board.board });
    await open(page, `${board.boardOrigin}/sessions`);
    const rows = page.getByRole('list', { name: 'Open sessions' }).getByRole('listitem');
    await expect(rows).toHaveCount(3);
    // The current session is first and marked.
    await expect(rows.first()).toContainText('This session');
    await expect(rows.first()).toContainText(/^Chrome on Linux/);
    await expect(page.getByText('This session')).toHaveCount(1);
    const firefox = rows.filter({ hasText: 'Firefox on Windows' });
    await expect(firefox).toContainText(/127\.0\.0\.1.*signed in .*last seen .*ends in 59 min/s);
    await expectAccessible(page);

    const end = firefox.getByRole('button', { name: 'End Firefox on Windows at 127.0.0.1' });
    await end.focus();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'End this session?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(end).toBeFocused();
    await page.keyboard.press('Enter');
    await question.getByRole('button', { name: 'End session' }).click();
    await expect(page.getByRole('log')).toContainText('Session ended.');
    await expect(rows).toHaveCount(2);
    // The open page of the ended session shows it within a second, and keeps its content.
    await expect(elsewhere.getByRole('dialog', { name: 'Your session was ended elsewhere' })).toBeVisible();
    await expect(elsewhere.locator('h1')).toHaveText('Logs');
    await elsewhere.context().close();

    await page.getByRole('button', { name: 'End other sessions' }).click();
    await page
      .getByRole('alertdialog', { name: 'End all other sessions?' })
      .getByRole('button', { name: 'End other sessions' })
      .click();
    await expect(page.getByRole('log')).toContainText('1 session ended.');
    await expect(rows).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'End other sessions' })).toHaveCount(0);
    await rows.first().getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login\?next=%2Fsessions$/);
  });
});

test('announces the end of the session five minutes before, and extends it without interruption', async ({
  page,
}) => {
  await page.clock.install();
  await open(page, '/logs');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  const announcement = page.getByText(/^Your session ends in less than/).first();
  await page.clock.fastForward('54:00');
  await expect(page.getByText(/^Live/)).toBeVisible();
  await expect(announcement).toHaveCount(0);
  await page.clock.fastForward('01:02');
  await expect(announcement).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Your session ends' })).toHaveCount(1);

  const again = page.getByRole('button', { name: 'Sign in again' });
  await again.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your session ends soon' });
  await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(dialog.getByLabel('User name')).toHaveValue('admin');
  await expect(dialog.getByLabel('User name')).not.toBeEditable();
  await expectAccessible(page, '[role=dialog]');
  // Before the end, the dialog can be dismissed, and the focus returns.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(again).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('User name')).not.toBeEditable();
  await enter(page);
  await expect(dialog).toHaveCount(0);
  await expect(announcement).toHaveCount(0);
  await expect(page).toHaveURL(/\/logs$/);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
});

test('resumes an expired session on the same page, but only with the password', async ({ page, guard }) => {
  guard.expect(UNAUTHORIZED);
  const board = await startBoard({ SESSION_TIMEOUT: '12' });
  try {
    await open(page, `${board.boardOrigin}/logs`);
    await expect(page.getByText(/^Your session ends in less than/).first()).toBeVisible();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await enter(page, { password: 'wrong' });
    await expect(dialog.getByRole('alert')).toHaveText('The user name or password is wrong.');
    await enter(page);
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/logs$/);
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  } finally {
    await page.close();
    await board.stop();
  }
});

test('renews the session of an open page before it expires, and keeps what was typed at its end', async ({
  page,
  guard,
}) => {
  guard.expect(UNAUTHORIZED);
  const board = await startBoard({ SESSION_TIMEOUT: '14', SESSION_MAX: '28' });
  try {
    const renewals: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/auth/renewal')) renewals.push(response.status());
    });
    await open(page, `${board.boardOrigin}/logs`);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('typed before the end');
    const note = page.getByText(/^Your session ends in less than/).first();
    // Only when no renewal can extend it: the end of SESSION_MAX is near.
    await expect(note).toBeVisible({ timeout: 40_000 });
    expect(renewals.length).toBeGreaterThan(0);
    expect(new Set(renewals)).toEqual(new Set([200]));
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await expect(dialog).toBeVisible({ timeout: 40_000 });
    await enter(page);
    await expect(dialog).toHaveCount(0);
    await expect(search).toHaveValue('typed before the end');
    await expect(page.getByText(/^Live/)).toBeVisible();
  } finally {
    await page.close();
    await board.stop();
  }
});

test('opens a display with a read-only access token, until it is revoked', async ({ page, guard }) => {
  guard.expect(UNAUTHORIZED);
  await withBoard(page, async (board) => {
    const { bearer } = await signIn({ client: board.board });
    const { id, token } = await createToken({ client: board.board }, { name: 'wall' }, bearer);
    await page.goto(`${board.boardOrigin}/logs`);
    await page.getByLabel('User name').fill('wall');
    await page.getByLabel('Password', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByText(/^Live/)).toBeVisible();
    // Nothing that would only be refused.
    await page.getByRole('button', { name: 'Errors, last hour' }).click();
    await expect(page.getByRole('button', { name: 'Errors, last hour', pressed: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save search' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Sessions' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Options' }).click();
    await expect(page.getByRole('menuitem', { name: 'Highlight rules …' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /^Create alert/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Alerts' }).click();
    await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create alert' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Logs' }).click();
    await expect(page.getByText(/^Live/)).toBeVisible();
    await board.board.send('DELETE', `/api/auth/tokens/${id}`, { headers: bearer });
    await expect(page.getByRole('dialog', { name: 'Your session was ended elsewhere' })).toBeVisible();
  });
});

test('signs in all tabs when one of them signs in again', async ({ page, context, guard }) => {
  guard.expect(UNAUTHORIZED);
  await withBoard(page, async (board) => {
    await open(page, `${board.boardOrigin}/sessions`);
    const other = await context.newPage();
    await other.goto(`${board.boardOrigin}/logs`);
    await expect(other.getByRole('searchbox', { name: 'Search' })).toBeVisible();
    const third = await context.newPage();
    await third.goto(`${board.boardOrigin}/logs`);
    await expect(third.getByText(/^Live/)).toBeVisible();
    await endAllElsewhere(board);
    const name = 'Your session was ended elsewhere';
    await expect(other.getByRole('dialog', { name })).toBeVisible();
    await expect(third.getByRole('dialog', { name })).toBeVisible();
    await enter(other);
    await expect(other.getByRole('dialog')).toHaveCount(0);
    // The dialog in the third tab closes too.
    await expect(third.getByRole('dialog')).toHaveCount(0);
    await expect(third.getByText(/^Live/)).toBeVisible();
    // The first tab uses the new session’s cookie and shows no dialog.
    await page.getByRole('link', { name: 'Logs' }).click();
    await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});
