import { expectAccessible } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

test.use({ timezoneId: 'Asia/Kolkata' });

test('accepts a typed time range in the time zone of the rows, and keeps it in the URL', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, 5000);
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop');
  await expect(page.getByText('line 5000 of shop', { exact: true })).toBeInViewport();
  await page.getByRole('button', { name: 'Time range, All time' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Custom time range …' }).press('Enter');
  const form = page.getByRole('form', { name: 'Time range' });
  const from = form.getByLabel('From local time');
  await expect(from).toBeFocused();
  await page.keyboard.type('1121');
  await page.keyboard.press('Enter');
  await expect(form.getByText('Enter a date with hours, minutes and seconds.')).toBeVisible();
  await expect(from).toBeFocused();
  // Month and day stay: only the rest is typed.
  await page.keyboard.type('2026023003PM');
  await expect(from).toHaveValue('2026-11-21T14:30:03');
  await form.getByLabel('To local time').fill('2026-11-21T14:30:02');
  await page.keyboard.press('Enter');
  await expect(form.getByText('Must be after From.')).toBeVisible();
  await form.getByLabel('To local time').fill('2026-11-21T14:30:04');
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  const range = page.getByRole('button', { name: /^Time range, / });
  await expect(range).toBeFocused();
  await expect(page).toHaveURL(/from=2026-11-21T09:00:03.000Z&to=2026-11-21T09:00:04.000Z/);
  await expect(page.getByText('line 3999 of shop', { exact: true })).toBeInViewport();
  await expect(page.getByText('line 4000 of shop', { exact: true })).toHaveCount(0);
  const histogram = page.getByRole('slider', { name: 'Line histogram' });
  await expect(histogram).toHaveAttribute('aria-valuetext', /^2026-11-21 14:3/);
  await page.getByRole('button', { name: 'Options' }).click();
  await page.getByRole('menuitemradio', { name: 'UTC' }).click();
  await expect(histogram).toHaveAttribute('aria-valuetext', /^2026-11-21 09:0/);
  await expect(range).toHaveText('2026-11-21 09:00:03 to 09:00:04');
  await range.press('Enter');
  await page.getByRole('menuitem', { name: 'Custom time range …' }).press('Enter');
  await expect(form.getByLabel('From UTC')).toHaveValue('2026-11-21T09:00:03');
  await form.getByRole('button', { name: 'Clear' }).click();
  await expect(page).not.toHaveURL(/from=|to=/);
  await expect(page.getByText('line 5000 of shop', { exact: true })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
});

test('opens with the last 15 minutes, and says when the last line was where it has no lines', async ({
  page,
}) => {
  const logs = new ScriptedLogs();
  logs.add({ name: 'shop' }, 5000);
  await logs.serve(page);
  await open(page, '/logs');
  const range = page.getByRole('button', { name: /^Time range, / });
  await expect(range).toHaveText('Last 15 minutes');
  await expect(page.getByRole('heading', { name: 'No lines in this time range' })).toBeVisible();
  await expect(page.getByText('The last line is of 2026-11-21 14:30:05.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(page).toHaveURL(/from=2026-11-21T08:45:05/);
  await expect(range).toHaveText('Since 2026-11-21 14:15:05', { ignoreCase: true });
  await expect(page.getByText('line 5000 of shop', { exact: true })).toBeInViewport();
  await range.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Last hour' }).press('Enter');
  await expect(page).toHaveURL(/from=1h/);
  await expect(page.getByRole('heading', { name: 'No lines in this time range' })).toBeVisible();
  // Text is searched for in the time range, which stays.
  await page.getByRole('searchbox', { name: 'Search' }).fill('4999');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByText('line 4999 of shop', { exact: true })).toBeVisible();
});
