import { expectAccessible, expectNoOverflow } from './support/accessibility.js';
import { expect, open, test } from './support/board-fixtures.js';

/** Typed, with how it is read, the chips that it becomes, and what of it stays in the field. */
const QUERIES = [
  {
    typed: 'request -healthz level:info',
    reading: 'text “request” and not text “healthz” and level contains “info”',
    chips: ['level info', 'without healthz'],
    field: 'request',
    finds: (text: string): boolean => /request/i.test(text) && !/healthz/i.test(text),
  },
  {
    typed: '(request OR checkpoint) status<300 OR /check.*complete/',
    reading: '(text “request” or text “checkpoint”) and status < 300 or regex check.*complete',
    chips: ['(request OR checkpoint) status<300 OR /check.*complete/'],
    field: '',
    finds: (text: string): boolean => /request|checkpoint/i.test(text),
  },
];

test('reads a combined query as it is typed, and shows only its lines', async ({ page }) => {
  await open(page, '/logs');
  await expect(page.locator('.ll').first()).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Search' });
  for (const { typed, reading, chips, field: rest, finds } of QUERIES) {
    await page.keyboard.press('/');
    await field.fill(typed);
    await expect(page.getByRole('status').filter({ hasText: reading })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(page.locator('.chip .cut')).toHaveText(
      chips.map((chip) => chip.replace(/^(level|without) /, '')),
    );
    await expect(field).toHaveValue(rest);
    await expect(page.getByText(/[\d,]+ match(es)? in [\d,]+ lines/)).toBeVisible();
    await expect(page.locator('.ll').first()).toBeVisible();
    for (const text of await page.locator('.ll').allInnerTexts()) {
      expect([text, finds(text)]).toEqual([text, true]);
    }
    // A link, or a reload, reads the same.
    await page.reload();
    await expect(page.locator('.chip')).toHaveCount(chips.length);
    await expect(field).toHaveValue(rest);
    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    await expect(page).toHaveURL(/\/logs$/);
    await expect(page.locator('.chip')).toHaveCount(0);
  }
});

test('says which condition excludes every line, and searches without it', async ({ page }) => {
  await open(page, '/logs');
  await expect(page.locator('.ll').first()).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('request nothing-like-this');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await expect(page.getByText(/Without nothing-like-this: [\d,]+ lines\./)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Search without it' }).click();
  // One text stays in the field.
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('request');
  await expect(page.locator('.chip')).toHaveCount(0);
  await expect(page.locator('.ll').first()).toContainText(/request/i);
});

test('fits a long query at 390 px', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/logs');
  await page
    .getByRole('searchbox', { name: 'Search' })
    .fill(`pod:${'payments-api-'.repeat(6)} status>=500 timeout`);
  await page.keyboard.press('Enter');
  await expect(page.locator('.chip').first()).toBeVisible();
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});

test('completes names and values with their numbers of lines, by keyboard and pointer', async ({ page }) => {
  await open(page, '/logs');
  await expect(page.locator('.ll').first()).toBeVisible();
  const field = page.getByRole('searchbox', { name: 'Search' });
  const list = page.getByRole('listbox', { name: 'Completions' });
  await field.pressSequentially('lev');
  await expect(list.getByRole('option', { name: /^level\s*[\d,]+$/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('level:');
  await list.getByRole('option', { name: /^info\s*[\d,]+$/ }).click();
  await expect(field).toHaveValue('level:info ');
  await expect(field).toBeFocused();
  await expect(list).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.locator('.chip .cut')).toHaveText('info');

  // Esc closes the list first, and Enter searches for what is typed.
  await field.pressSequentially('con');
  await expect(list).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(list).toBeInViewport();
  await expectNoOverflow(page);
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(field).toHaveValue('con');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/[\d,]+ match(es)? in [\d,]+ lines/)).toBeVisible();
});
