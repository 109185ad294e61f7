import type { Page } from '@playwright/test';
import { LOG_BOARD_PASSWORD } from '../support/app/log-board-password.js';
import { expectAccessible } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';
import * as dashboard from './support/fixtures.js';

/** Creates a token on the page. @returns the token, which is shown once */
async function create(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create access token' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const created = page.getByRole('dialog', { name: 'Access token created' });
  const field = created.getByLabel('Token', { exact: true });
  await expect(field).toBeFocused();
  const token = await field.inputValue();
  await created.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  return token;
}

test('creates an access token, shows it once, and revokes it', async ({ page, context, board }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const read = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await board.board.send('GET', '/api/sources', { headers })).status;
  };
  await open(page, '/sessions');
  await expect(page.getByRole('heading', { name: 'No access tokens' })).toBeVisible();

  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create access token' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Expires').selectOption('Custom date');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(dialog.getByText('Name is required.')).toBeVisible();
  await expect(dialog.getByText('Choose a date within the next year.')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByLabel('Name').fill('nightly report');
  await dialog.getByLabel('Expires').selectOption('90 days');
  await dialog.getByRole('radio', { name: /^full/ }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const created = page.getByRole('dialog', { name: 'Access token created' });
  const token = await created.getByLabel('Token', { exact: true }).inputValue();
  expect(await read(token)).toBe(200);
  // Escape must not lose the token, which cannot be shown again.
  await page.keyboard.press('Escape');
  await expect(created).toBeVisible();
  await created.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(token);
  await created.getByRole('button', { name: 'Close' }).click();

  const row = page.getByRole('row', { name: /^nightly report/ });
  await expect(row).toContainText('full');
  await page.reload();
  await expect(row).toBeVisible();
  expect(await page.content()).not.toContain(token);
  const second = await create(page, 'backup');
  await expect(page.getByRole('row')).toHaveCount(3);

  const revoke = row.getByRole('button', { name: 'Revoke nightly report' });
  await revoke.click();
  const question = page.getByRole('alertdialog', { name: 'Revoke the access token “nightly report”?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await read(token)).toBe(200);
  await revoke.click();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('log')).toContainText('Revoked nightly report.');
  await expect(row).toHaveCount(0);
  expect([await read(token), await read(second)]).toEqual([401, 200]);
});

dashboard.test.describe('without a sign-in', () => {
  dashboard.test.use({ environment: { APP_RUNTIME: 'demo', APP_PASS: LOG_BOARD_PASSWORD } });

  dashboard.test(
    'lists only access tokens, says why, and creates one with the password',
    async ({ page, guard }) => {
      guard.expect(/status of 403.*\/api\/auth\/tokens/);
      await page.goto('/clusters');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Access tokens' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Access tokens' })).toBeVisible();
      await expect(page).toHaveTitle('Access tokens · Slipway');
      await expect(page.getByRole('heading', { name: 'Sessions' })).toHaveCount(0);
      await expect(page.getByText('No password is needed: this request is from your own user')).toBeVisible();
      await page.getByRole('button', { name: 'Create token' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create access token' });
      await dialog.getByLabel('Name').fill('cron');
      await dialog.getByRole('button', { name: 'Create token' }).click();
      const prompt = page.getByRole('dialog', { name: 'Sign in with the password' });
      await prompt.getByLabel('User').fill('admin');
      await prompt.getByLabel('Password', { exact: true }).fill(LOG_BOARD_PASSWORD);
      await prompt.getByRole('button', { name: 'Sign in' }).click();
      const created = page.getByRole('dialog', { name: 'Access token created' });
      await created.getByRole('button', { name: 'Close' }).click();
      await expect(page.getByRole('row', { name: /^cron read/ })).toBeVisible();
    },
  );
});
