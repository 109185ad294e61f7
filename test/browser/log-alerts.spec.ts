import { expectAccessible } from './support/accessibility.js';
import type { AlertDto, AlertFiringDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import { expect, open, startBoard, test } from './support/board-fixtures.js';
import { WebhookReceiver } from '../support/app/webhook-receiver.js';
import { signIn } from '../support/app/signed-in.js';

test('creates, tests, disables and deletes an alert', async ({ page, guard }) => {
  guard.expect(/status of 400.*\/api\/alerts/);
  const receiver = await WebhookReceiver.start();
  const board = await startBoard({
    APP_LOG_INTAKE: 'off',
    APP_WEBHOOK_HOSTS: `127.0.0.1:${receiver.port}`,
  });
  try {
    await open(page, `${board.boardOrigin}/alerts`);
    await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
    await page.getByRole('button', { name: 'Create alert' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create alert' });
    await expect(form.locator('#alert-name')).toBeFocused();
    await form.locator('#alert-name').fill('Payments time out');
    await form.locator('#alert-text').fill('(a');
    await form.getByLabel('Regular expression').check();
    await form.getByLabel('Webhook').check();
    await form.locator('#alert-url').fill('https://10.0.0.1/hook');
    await form.getByText('Limit to sources').click();
    await expectAccessible(page, '[role=dialog]');

    // Field errors of the response are shown at their fields.
    await form.locator('#alert-url').fill(receiver.url());
    await form.getByRole('button', { name: 'Create' }).click();
    await expect(form.getByText('is not a valid regular expression')).toBeVisible();
    await expect(form.locator('#alert-text')).toBeFocused();
    await form.locator('#alert-text').fill('time ?out');
    await form.locator('#alert-text').press('Enter');
    await expect(form).toHaveCount(0);

    const row = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await expect(row).toContainText('1 line matching “time ?out” within 1 minute');
    await expect(row).toContainText('OK');
    await row.getByRole('button', { name: 'Test Payments time out' }).click();
    await expect(page.getByRole('log')).toContainText('Webhook delivered');
    await expect(page.getByRole('log')).toContainText('Test of alert Payments time out.');
    expect(receiver.received).toHaveLength(1);
    await row.getByRole('button', { name: 'History of Payments time out' }).click();
    await expect(row.getByRole('region', { name: 'Alert history' })).toContainText('Test');
    await expectAccessible(page);

    await row.getByRole('switch', { name: 'Enable Payments time out' }).uncheck();
    await expect(row).toContainText('Off');
    await row.getByRole('button', { name: 'Delete Payments time out' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'No alerts' })).toBeVisible();
  } finally {
    await page.close();
    await board.stop();
    await receiver.stop();
  }
});

/** A hidden tab that records its notifications. */
const UNSEEN = `
  Object.defineProperty(document, 'hidden', { get: () => true });
  window.notified = [];
  window.Notification = class {
    static permission = 'granted';
    constructor(title, { tag }) { window.notified.push(title + ' ' + tag); }
    close() {}
  };
`;

test('counts a firing alert on every page, notifies once, and links to its line', async ({
  page,
  context,
  guard,
}) => {
  // The alert is deleted in another tab while its firings are open.
  guard.expect(/status of 404.*\/api\/alerts\/\d+\/firings/);
  const board = await startBoard();
  try {
    await context.addInitScript(UNSEEN);
    await open(page, `${board.boardOrigin}/saved-searches`);
    const other = await context.newPage();
    await other.goto(`${board.boardOrigin}/sessions`);
    const tabs = [page, other];
    for (const tab of tabs) {
      await expect(tab.getByRole('link', { name: 'Alerts', exact: true })).toBeVisible();
    }
    const { bearer: headers } = await signIn({ client: board.board });
    const send = async <TAnswer>(method: string, path: string, body?: object): Promise<TAnswer> =>
      (await board.board.send(method, path, { headers, ...(body ? { body } : {}) })).body as TAnswer;
    // Lines keep arriving.
    const { id } = await send<AlertDto>('POST', '/api/alerts', { name: 'Anything', window_seconds: 3600 });
    for (const tab of tabs) {
      await expect(tab.getByRole('link', { name: 'Alerts 1 firing', exact: true })).toBeVisible();
      await expect(tab.getByRole('log')).toContainText('Alert Anything.');
    }
    // Both tabs have received it before another one.
    await send('POST', `/api/alerts/${id}/test`);
    for (const tab of tabs) await expect(tab.getByRole('log')).toContainText('Test of alert Anything.');
    const notified = async (): Promise<string[]> =>
      (await Promise.all(tabs.map((tab) => tab.evaluate<string[]>('window.notified')))).flat().sort();
    const firings = await send<AlertFiringDto[]>('GET', `/api/alerts/${id}/firings`);
    const [second, first] = firings.map((firing) => `slipway-alert-${firing.id}`);
    await expect
      .poll(notified)
      .toEqual([`Alert Anything. ${first ?? ''}`, `Test of alert Anything. ${second ?? ''}`]);
    await other.close();

    await page.getByRole('link', { name: 'Alerts 1 firing' }).click();
    const row = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await row.getByRole('button', { name: 'History of Anything' }).click();
    const region = row.getByRole('region', { name: 'Alert history' });
    const { sample } = firings[1] ?? {};
    if (!sample) throw new Error('the firing has no line');
    const link = region.getByRole('link', { name: /^Show line [\d,]+ in logs$/ });
    await link.click();
    await expect(page).toHaveURL(new RegExp(`/logs\\?sources=.*&line=.*@${sample.seq}$`));
    const details = page.getByRole('complementary', { name: 'Line' });
    await expect(details).toContainText(`${sample.seq.toLocaleString('en')} of its source`);

    await send('DELETE', `/api/sources/${sample.source}/history`);
    await page.goBack();
    await expect(region).toContainText('The log history no longer has this line.');
    await expect(link).toHaveCount(0);
    await send('DELETE', `/api/alerts/${id}`);
    await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toBeVisible();
  } finally {
    await page.close();
    await board.stop();
  }
});

test('renames, opens and deletes a saved search', async ({ page, board }) => {
  const { bearer: headers } = await signIn({ client: board.board });
  const body = { name: 'Timeouts', query: 'q=timeout&level=error' };
  await board.board.send('POST', '/api/saved-searches', { headers, body });
  await open(page, '/saved-searches');
  const row = page.getByRole('list', { name: 'Saved searches' }).getByRole('listitem');
  await expect(row).toContainText('with “timeout”, level error');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Rename Timeouts' }).click();
  const form = page.getByRole('dialog', { name: 'Rename Timeouts' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await form.getByLabel('Name').fill('Slow payments');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Slow payments');
  await row.getByRole('link', { name: 'Slow payments' }).click();
  await expect(page).toHaveURL(/\/logs\?q=timeout&level=error/);
  await page.getByRole('button', { name: 'Save search' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('The same');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved The same.')).toBeVisible();
  await page.goBack();
  await expect(row).toHaveCount(2);
  await row.getByRole('button', { name: 'Delete The same' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(1);
  await row.getByRole('button', { name: 'Delete Slow payments' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No saved searches' })).toBeVisible();
});
