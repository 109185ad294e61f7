import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';

const GONE = 'Slipway does not respond.';
const DISABLED_WITHIN_MS = 2000;
const TYPED = 'typed before the end';

test('disables controls and stops counting while the server is gone, and keeps what was typed', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/clusters');
  const row = page.getByRole('row', { name: /staging/ });
  await expect(row).toContainText(/Running for \d+ s/);
  await page.getByRole('button', { name: 'Create cluster' }).click();
  const dialog = page.getByRole('dialog');
  // The dialog hides the rows from roles.
  const rowInBack = page.locator('sw-cluster-row');
  await dialog.getByLabel('Name', { exact: true }).fill('typed-before');
  const create = dialog.getByRole('button', { name: 'Create cluster' });
  await expect(create).toBeEnabled();

  await product.halt();
  const notice = page.locator('sw-outage');
  await expect(notice).toContainText(/Last seen \d\d:\d\d:\d\d/, { timeout: DISABLED_WITHIN_MS });
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(create).toHaveAttribute('title', GONE);
  await create.click({ force: true });
  await dialog.getByLabel('Name', { exact: true }).press('Enter');
  // Typing goes on; a control that this enables is disabled, too.
  await dialog.getByLabel('Name', { exact: true }).fill('');
  await dialog.getByLabel('Name', { exact: true }).fill('typed-meanwhile');
  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  const counted = await rowInBack.textContent();
  expect(counted).toContain('Last seen:');
  await expect(page.locator('.drain')).toHaveCSS('backdrop-filter', 'grayscale(1)');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  expect(await rowInBack.textContent()).toBe(counted);

  await product.launch();
  await expect(notice).toBeEmpty();
  await expect(create).not.toHaveAttribute('aria-disabled');
  await expect(create).not.toHaveAttribute('title');
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('typed-meanwhile');
});

test('keeps the manifest and enables checks again by itself', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/cluster/staging/apply');
  const editor = page.getByRole('textbox', { name: 'YAML' });
  await editor.fill(`kind: ConfigMap\n# ${TYPED}`);
  const check = page.getByRole('button', { name: 'Check' });
  await product.halt();
  await expect(check).toHaveAttribute('aria-disabled', 'true', { timeout: DISABLED_WITHIN_MS });
  await product.launch();
  await expect(check).not.toHaveAttribute('aria-disabled');
  await expect(editor).toContainText(TYPED);
});

test('keeps navigation while the server is gone, and disables actions of the palette and links to it', async ({
  page,
  product,
  guard,
}) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  // Pages that were shown before are there without the server.
  await page.goto('/journal');
  await page.getByRole('link', { name: 'staging' }).first().click();
  await expect(page).toHaveURL(/cluster\/staging/);
  await page.getByRole('link', { name: 'Deployments' }).first().click();
  await page.getByRole('link', { name: 'web', exact: true }).first().click();
  const tab = page.getByRole('tab', { name: 'Events' });
  await expect(tab).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await product.halt();
  await expect(page.locator('sw-outage')).toContainText(GONE);
  const logBoard = page.getByRole('link', { name: 'Log board', exact: true });
  await expect(logBoard).toHaveAttribute('aria-disabled', 'true');
  await logBoard.click({ force: true });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+k');
  await page.keyboard.type('apply yaml to');
  await expect(palette.getByRole('option', { name: /^Apply YAML to staging/ })).toHaveAttribute(
    'title',
    GONE,
  );
  await palette.getByRole('combobox').fill('');
  await page.keyboard.type('del stag');
  const entry = palette.getByRole('option', { name: /^Delete staging/ });
  await expect(entry).toHaveAttribute('title', GONE);
  await expect(entry).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await entry.click({ force: true });
  await expectAccessible(page, '[role=dialog]');
  await palette.getByRole('combobox').fill('journal');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Journal', level: 1 })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('opens no shell by its key while the server is gone', async ({ page, product, guard }) => {
  guard.expect(FAILED_REQUESTS);
  await product.createCluster('staging');
  await page.goto('/cluster/staging/resources/core/v1/pods?runtime=demo&filter=postgres-0');
  await page.getByRole('link', { name: 'postgres-0' }).click();
  const tab = page.getByRole('tab', { name: 'Events' });
  const dock = page.locator('sw-shell-dock');
  await tab.click();
  await product.halt();
  const notice = page.locator('sw-outage');
  await expect(notice).toContainText(GONE);
  await page.keyboard.press('s');
  await product.launch();
  await expect(notice).toBeEmpty();
  await expect(dock).toHaveCount(0);
  await tab.press('s');
  await expect(dock).toBeVisible();
});
