import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const PODS = '/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop';

async function openShell(page: Page): Promise<void> {
  await page.goto(PODS);
  const grid = page.getByRole('grid', { name: 'Pods of staging' });
  await grid.getByRole('link', { name: /^postgres-0/ }).click();
  await page
    .getByRole('region', { name: /^postgres-0/ })
    .getByRole('button', { name: 'Shell', exact: true })
    .click();
  await expect(page.locator('.xterm-rows')).toContainText('/ #');
}

test('runs a shell in a Pod that survives navigation, by keyboard alone', async ({ page, product }) => {
  await product.createCluster('staging');
  await openShell(page);
  const dock = page.getByRole('region', { name: 'Shells' });
  const rows = page.locator('.xterm-rows');
  await page.keyboard.type('echo grüße\n');
  await expect(rows).toContainText(/grüße.*grüße/);
  await page.keyboard.type('stty size\n');
  await expect(rows).toContainText(/\d+ \d+/);
  await expectAccessible(page, 'sw-shell-dock');

  // Leave the terminal, and make the dock smaller.
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect(dock.getByRole('button', { name: 'postgres-0', exact: true })).toBeFocused();
  const grip = dock.getByRole('separator', { name: 'Height of the shells' });
  const before = Number(await grip.getAttribute('aria-valuenow'));
  await grip.press('ArrowDown');
  await expect(grip).toHaveAttribute('aria-valuenow', String(before - 24));

  await page.getByRole('link', { name: 'Journal' }).click();
  // Another test of this product may have opened one before.
  await expect(page.getByRole('cell', { name: 'Shell opened' }).first()).toBeVisible();
  await expect(rows).toContainText('grüße');
  await dock.getByRole('button', { name: 'postgres-0', exact: true }).click();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('searchbox', { name: 'Search the terminal' }).fill('no such text');
  await expect(dock.getByText('No match')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('exit\n');
  await expect(dock.getByText('The shell ended.')).toBeVisible();
  await dock.getByRole('button', { name: 'Start again' }).click();
  await expect(dock.getByText('The shell ended.')).toBeHidden();
  await dock.getByRole('button', { name: 'Close the shell postgres-0' }).click();
  await expect(dock).toBeHidden();

  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').getByRole('combobox').fill('shell postgres-0');
  await page.getByRole('option', { name: /^Shell postgres-0/ }).click();
  await expect(rows).toContainText('/ #');
});

test('keeps hostile output in the terminal', async ({ page, product, context }) => {
  await product.createCluster('staging');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/clusters');
  await page.evaluate("navigator.clipboard.writeText('mine')");
  const title = await page.title();
  // A shell whose program is hostile.
  await page.routeWebSocket(/\/shells\?/, (socket) => {
    const escape = '\u001b';
    const hostile = [
      `${escape}]0;stolen title\u0007`,
      `${escape}]52;c;${Buffer.from('theirs').toString('base64')}\u0007`,
      `${escape}]8;;javascript:document.title='run'\u0007click me${escape}]8;;\u0007\r\n`,
      '<img src=x onerror="document.title=1"><b>bold</b>\r\n',
      `${escape}[38;2;255;0;0m colored${escape}[0m ${'x'.repeat(1_000_000)}\r\n`,
    ];
    socket.onMessage(() => undefined);
    socket.send(JSON.stringify({ type: 'ready', container: 'main' }));
    for (const text of hostile) socket.send(Buffer.from(text));
    socket.send(
      Buffer.concat([Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from('\r\nlast line')]),
    );
  });
  await page.goto('/cluster/staging?runtime=demo');
  await page.getByRole('button', { name: 'Shell in staging-control-plane' }).click();
  const rows = page.locator('.xterm-rows');
  await expect(rows).toContainText('last line');
  expect(await page.title()).not.toMatch(/stolen|run|^1$/);
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('mine');
  expect(await rows.locator('img, b, script').count()).toBe(0);
  expect(title).not.toBe('');
});
