import type { Locator, Page } from '@playwright/test';
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
