import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const PODS = '/cluster/staging/resources/core/v1/pods?runtime=demo&namespace=shop';

/** Opens the log of the Pod whose name starts with `name`. */
async function openLog(page: Page, name: string): Promise<Locator> {
  await page.goto(PODS);
  await page
    .getByRole('grid', { name: 'Pods of staging' })
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();
  const panel = page.getByRole('region', { name: new RegExp(`^${name}`) });
  await panel.getByRole('tab', { name: 'Logs' }).click();
  return panel;
}

test('shows and follows the log of a Pod beside the table, without a sign-in', async ({ page, product }) => {
  await product.createCluster('staging');
  const panel = await openLog(page, 'postgres-0');
  const log = panel.getByRole('grid', { name: 'Log of postgres' });
  await expect(log.getByRole('row').first()).toBeVisible();
  const count = async (): Promise<number> => Number(await log.getAttribute('aria-rowcount'));
  const before = await count();
  await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before);
  await expect(page).toHaveURL(/part=logs/);
  await page.reload();
  await expect(log.getByRole('row').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Wrap' }).click();
  await expect(panel.getByRole('button', { name: 'Wrap' })).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
});

test('shows the logs of init containers and of crashed containers', async ({ page, product, guard }) => {
  guard.expect(/409 \(Conflict\) \(.*\/reports-.*\/logs\?/);
  await product.createCluster('staging');
  const ledger = await openLog(page, 'ledger-');
  await expect(ledger.getByRole('grid', { name: 'Log of ledger' }).getByRole('row').first()).toBeVisible();
  await ledger.getByRole('combobox', { name: 'Container' }).selectOption({ label: 'migrate (init)' });
  await expect(ledger.getByRole('grid', { name: 'Log of migrate' }).getByRole('row').first()).toBeVisible();
  await expect(ledger.getByText('The container has terminated.')).toBeVisible();

  const mailer = await openLog(page, 'mailer-');
  await mailer.getByRole('checkbox', { name: 'Previous instance' }).check();
  await expect(mailer.getByText('SMTP_HOST is not set').first()).toBeVisible();
  await expect(mailer.getByText('This instance has terminated.')).toBeVisible();

  const reports = await openLog(page, 'reports-');
  await expect(reports.getByRole('heading', { name: 'Could not load the log' })).toBeVisible();
  await expect(reports.getByText(/waiting to start/)).toBeVisible();
});

test('opens a long line in full, with its hidden characters', async ({ page, product }) => {
  await product.createCluster('staging');
  const long = `\x1b]0;owned\x07${'x'.repeat(9000)} tail \x1b[31mred\x1b[0m`;
  const line = { time: '2026-11-21T09:00:00.000000Z', level: 'info', cut: 0, continues: false };
  const events = [
    { type: 'line', line: { ...line, text: 'short' } },
    { type: 'line', line: { ...line, text: long, cut: 4096 } },
    { type: 'end' },
  ];
  await page.route(/\/pods\/shop\/postgres-0\/logs\?/, (route) =>
    route.fulfill({
      contentType: 'application/x-ndjson',
      body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    }),
  );
  const panel = await openLog(page, 'postgres-0');
  const rows = panel.getByRole('row');
  await expect(rows).toHaveCount(2);
  await rows.nth(1).getByText('open full line').click();
  const text = panel.getByRole('group', { name: 'Text of the line' });
  await expect(text).toHaveText(`${'x'.repeat(9000)} tail red`);
  await expect(panel.getByText('4,096 more bytes were cut off.')).toBeVisible();
  await panel.getByRole('button', { name: 'Raw text with escapes' }).click();
  await expect(text).toContainText('\\x1b]0;owned\\x07xxx');
  await page.keyboard.press('Escape');
  await expect(text).toBeHidden();
  await expect(panel.getByRole('grid', { name: 'Log of postgres' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(text).toHaveText('short');
  await panel.getByRole('button', { name: 'Close line' }).click();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});
