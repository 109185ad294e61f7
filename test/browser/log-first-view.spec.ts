import { expectAccessible } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';

test('groups all lines by pattern, counts values of a field, and undoes a zoom with Back', async ({
  page,
}) => {
  await open(page, '/logs');
  await expect(page.locator('.ll').first()).toBeVisible();
  await page.getByRole('button', { name: 'Patterns', exact: true }).click();
  await expect(page).toHaveURL(/pane=patterns/);
  const patterns = page.getByRole('complementary', { name: 'Patterns' });
  await expect(patterns.getByRole('listitem').first()).toBeVisible();
  await expectAccessible(page);
  const request = patterns.getByRole('button', { name: 'Only lines like request', exact: true });
  await request.click();
  await expect(page).toHaveURL(/q=request&regex=1/);
  await expect(page.getByText(/[\d,]+ match(es)? in [\d,]+ lines/)).toBeVisible();
  await page.locator('.ll').first().click();
  const details = page.getByRole('complementary', { name: 'Line', exact: true });
  await details.getByRole('button', { name: 'Top values of method' }).click();
  await details.getByRole('button', { name: 'Only lines with method GET' }).click();
  await expect(page).toHaveURL(/field=method:GET|field=method%3AGET/);

  await page.getByRole('link', { name: 'Logs', exact: true }).click();
  await expect(page).toHaveURL(/\/logs$/);
  await expect(page.getByText(/^Live/)).toBeVisible();
  const histogram = page.getByRole('slider', { name: 'Line histogram' });
  await histogram.press('Home');
  await histogram.press('Enter');
  await expect(page).toHaveURL(/from=.*to=/);
  await expect(page.getByText('Past time range')).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/from=/);
  await expect(page.getByText(/^Live/)).toBeVisible();
});

test('shows the patterns of errors first, and those that are new', async ({ page }) => {
  await open(page, '/logs');
  await expect(page.locator('.ll').first()).toBeVisible();
  await page.getByRole('button', { name: 'Errors, last hour' }).click();
  await expect(page).toHaveURL(/pane=patterns/);
  const patterns = page.getByRole('complementary', { name: 'Patterns' });
  const first = patterns.getByRole('listitem').first();
  await expect(first.locator('[data-level]')).toHaveText(/error|fatal/);
  await expect(first.getByRole('img', { name: /^At most [\d,]+ lines? in each of 24 parts/ })).toBeVisible();
  await patterns.getByRole('button', { name: 'All patterns' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'New in the time range' }).press('Enter');
  await expect(page).toHaveURL(/new=range/);
  await expect(patterns.getByRole('button', { name: 'New in the time range' })).toBeVisible();
  await expectAccessible(page);
});

test('fits the first view and its buttons at 820 and 390 px', async ({ page }) => {
  for (const width of [820, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await open(page, '/logs');
    await expect(page.locator('.ll').first()).toBeVisible();
    for (const name of ['Sources, all', 'Apps', 'Errors, last hour', 'Patterns', 'Pause']) {
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
    }
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
  }
});
