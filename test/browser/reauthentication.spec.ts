import type { Page } from '@playwright/test';
import { clusterSpec } from '../support/app/clusters.js';
import { dockerArchive } from '../support/images/archives.js';
import { expectAccessible } from './support/accessibility.js';
import { enter, PASSWORD } from './support/board-fixtures.js';
import { guardFixture, type PageGuard } from './support/page-guard.js';
import { Product } from './support/product.js';
import { test as base } from './support/worker-fixtures.js';

const { expect } = base;
const VIEWER = 'only for looking';
let product: Product;
let origin: string;

/** A dashboard where everyone signs in. */
const test = base.extend<{ guard: PageGuard }>({
  baseURL: async ({}, use) => {
    await use(origin);
  },
  guard: [...guardFixture],
});

test.beforeAll(async () => {
  product = await Product.start({
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '100',
    APP_AUTH: 'required',
    APP_PASS: PASSWORD,
  });
  origin = product.origin;
});

test.afterAll(() => product.stop());

/** Headers of a session of its own, whose cookie the page does not keep. */
async function signedIn(page: Page): Promise<{ authorization: string }> {
  const data = { username: 'admin', password: PASSWORD };
  const answer = await page.request.post('/api/auth/login', { data });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  await page.context().clearCookies();
  return { authorization: `Bearer ${token}` };
}

/** Without the password, so that an action that needs a recent one asks at once. */
async function signInByLink(page: Page, path: string): Promise<void> {
  const answer = await page.request.post('/api/auth/links', { headers: await signedIn(page) });
  const { token } = (await answer.json()) as { token: string };
  await page.goto(`/login?next=${encodeURIComponent(path)}#link=${token}`);
  await expect(page).toHaveURL(new RegExp(`${path}$`));
}

test('prompts for the password before it creates a full token, and keeps the input', async ({
  page,
  guard,
}) => {
  guard.expect(/status of 40[13].*\/api\/auth\//);
  await signInByLink(page, '/sessions');
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create access token' });
  await dialog.getByLabel('Name').fill('deployment');
  await dialog.getByRole('radio', { name: /^full/ }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();

  const prompt = page.getByRole('dialog', { name: 'Confirm with your password' });
  await expect(prompt.getByLabel('Password', { exact: true })).toBeFocused();
  await expect(prompt.getByLabel('User name')).not.toBeEditable();
  await expectAccessible(page, '[role=dialog]:has(#sign-in-title)');
  await page.keyboard.press('Escape');
  await expect(prompt).toHaveCount(0);
  await expect(dialog.getByText('You entered the password more than 15 minutes ago')).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('deployment');

  await dialog.getByRole('button', { name: 'Create token' }).click();
  await prompt.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(prompt.getByRole('alert')).toHaveText('The user name or password is wrong.');
  await prompt.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  const created = page.getByRole('dialog', { name: 'Access token created' });
  await expect(created.getByLabel('Token', { exact: true })).toHaveValue(/^slipway_/);
  await created.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('row', { name: /^deployment full/ })).toBeVisible();
});

test('sets a read-only password, whose sessions see that they change nothing', async ({
  page,
  browser,
  guard,
}) => {
  guard.expect(/status of 40[013].*\/api\/auth\//);
  const data = clusterSpec('shop', { workers: 1 });
  const headers = await signedIn(page);
  expect((await page.request.post('/api/v1/clusters', { headers, data })).status()).toBe(202);
  await signInByLink(page, '/sessions');
  await page.getByRole('button', { name: 'Set… read-only password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set read-only password' });
  await dialog.getByLabel('Password').fill('short');
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await expect(dialog.getByText('Enter at least 8 characters.')).toBeVisible();
  await expectAccessible(page, '[role=dialog]');
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Set password' }).click();
  const prompt = page.getByRole('dialog', { name: 'Confirm with your password' });
  await prompt.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Must differ from your own password.')).toBeVisible();
  await dialog.getByLabel('Password').fill(VIEWER);
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText('Set. You can sign in with it')).toBeVisible();

  await signInByLink(page, '/sessions');
  await page.getByRole('button', { name: 'Change… read-only password' }).click();
  await dialog.getByLabel('Password').fill(VIEWER);
  await dialog.getByRole('button', { name: 'Set password' }).click();
  await prompt.getByLabel('Password', { exact: true }).fill(VIEWER);
  await page.keyboard.press('Enter');
  await expect(prompt.getByRole('alert')).toHaveText(
    'This is the read-only password. Enter the password of admin.',
  );
  await prompt.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);

  const viewer = await (await browser.newContext({ baseURL: origin })).newPage();
  await viewer.goto('/clusters');
  await enter(viewer, { password: VIEWER });
  const tag = viewer.getByRole('banner').getByText('Read-only');
  await expect(tag).toBeVisible();
  const create = viewer.getByRole('button', { name: 'Create cluster' });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAttribute('title', /^This session is read-only\./);
  await create.focus();
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('dialog')).toHaveCount(0);
  await expectAccessible(viewer);
  await viewer.getByRole('link', { name: 'shop', exact: true }).click();
  const stop = viewer.getByRole('button', { name: 'Stop', exact: true });
  await expect(stop).toHaveAttribute('aria-disabled', 'true');
  await viewer.keyboard.press('Control+k');
  await viewer.keyboard.type('stop shop');
  await expect(viewer.getByRole('option', { name: /^Stop/ })).toHaveCount(0);
  await viewer.getByRole('combobox').fill('access tokens');
  await expect(viewer.getByRole('option', { name: /^Sessions/ })).toHaveCount(0);
  await viewer.keyboard.press('Escape');
  await viewer.goto('/cluster/shop/resources/core/v1/pods');
  await viewer.getByRole('grid').getByRole('link').first().focus();
  await viewer.keyboard.press('s');
  await expect(viewer.locator('sw-toast-outlet')).toContainText(
    /session is read-only\. Sign in .+ something\.(?!\.)/,
  );
  await viewer.getByRole('button', { name: 'Menu' }).click();
  await expect(viewer.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expect(viewer.getByRole('menuitem', { name: 'Sessions' })).toHaveCount(0);
  await viewer.keyboard.press('Escape');

  const rows = page.getByRole('list', { name: 'Open sessions' }).getByRole('listitem');
  await page.reload();
  await expect(rows.filter({ hasText: 'Read-only' })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove… read-only password' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Not set. With one,')).toBeVisible();
  await expect(viewer.getByRole('dialog', { name: 'Your session was ended elsewhere' })).toBeVisible();
  await viewer.context().close();
});

test('uploads an image archive in a session', async ({ page, guard }) => {
  guard.expect(/status of 401.*\/api\/auth\//);
  const [headers, data] = [await signedIn(page), clusterSpec('tools')];
  expect((await page.request.post('/api/v1/clusters', { headers, data })).status()).toBe(202);
  await signInByLink(page, '/cluster/tools');
  await page.getByRole('button', { name: 'Load images…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Load images into tools' });
  const { bytes: buffer } = dockerArchive(['team/tool:3'], 200_000);
  const file = { name: 'tool.tar', mimeType: 'application/x-tar', buffer };
  await dialog.getByLabel('Image archive').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Load', exact: true }).click();
  await expect(page.getByRole('dialog', { name: /tool:3 into tools$/ })).toBeVisible();
});
