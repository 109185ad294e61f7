import { expectAccessible } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';
import { FAILED_REQUESTS } from './support/page-guard.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test('shows the state of the log store in a banner, and on the Storage page', async ({ page, guard }) => {
  guard.expect(FAILED_REQUESTS);
  const logs = new ScriptedLogs();
  logs.add({ name: 'payments-api' }, 1000);
  await logs.serve(page);
  const message = 'A storage node of VictoriaLogs is down. Start it again.';
  let isDown = true;
  await page.route(/\/api\/search\?/, (route) =>
    isDown
      ? route.fulfill({
          status: 503,
          json: { statusCode: 503, code: 'storage_unavailable', message, details: null, request_id: 'x' },
        })
      : route.fallback(),
  );
  await open(page, '/logs?runtime=docker');
  logs.setStoreHealth({ state: 'unavailable', reason: message });
  const banner = page.getByRole('status').filter({ hasText: 'The log history is unavailable.' });
  await expect(banner).toContainText(`${message} Live lines continue.`);

  await page.goto('/logs?runtime=docker&q=line');
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await retry.press('Enter');
  await expect(page.getByRole('heading', { name: 'Could not search' })).toBeVisible();
  isDown = false;
  logs.setStoreHealth({});
  await expect(banner).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Could not search' })).toBeHidden();

  const notice = 'The log history was damaged and was moved to /data/logs.db.damaged.';
  logs.setStoreHealth({ notice });
  await page.getByRole('button', { name: 'Close the notice' }).press('Enter');
  await expect(page.getByText(notice)).toBeHidden();
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Storage' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible();
  await expect(page.getByText('APP_LOG_HISTORY_SIZE')).toBeVisible();
  await expect(page.getByText(notice)).toBeHidden();
  await expectAccessible(page);
});
