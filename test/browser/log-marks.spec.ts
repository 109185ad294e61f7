import type { Page } from '@playwright/test';
import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

const CATASTROPHIC = '^(a+)+$';

test('blocks neither the page nor later matches on catastrophic backtracking', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.slow = CATASTROPHIC;
  logs.add({ name: 'shop' }, 30, (seq) => (seq === 5 ? `${'a'.repeat(60)}!` : `order ${seq}`));
  await logs.serve(page);
  const address = `/logs?sources=container/docker/shop&regex=1&q=${encodeURIComponent(CATASTROPHIC)}`;
  await open(page, `${address}&line=container/docker/shop@5`);
  await expect(page.getByText('0 matches. The search timed out.')).toBeVisible();
  await page.getByRole('button', { name: 'All lines', exact: true }).click();
  await expect(page.locator('[data-at="5"]')).toBeInViewport();
  await expect(
    page.getByText('Not all matches are marked: the regular expression is too slow'),
  ).toBeVisible();
  // The page stays responsive, and the next regex works.
  await page.getByRole('searchbox', { name: 'Search' }).fill('/order \\d\\d/');
  await page.keyboard.press('Enter');
  await expect(page.locator('.ll mark').first()).toHaveText('order 10');
  await expect(page.locator('.ll mark')).toHaveCount(21);
  await expect(page.getByText('Not all is marked')).toBeHidden();
});

/** The contrast of each text to its background: [class, ratio], lowest first. */
const CONTRASTS = `(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = parts(colour).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    return parts(color)[3] === 0 ? behind(element.parentElement) : color;
  };
  return [...document.querySelectorAll('.ll .m *')].map((element) => {
    const [one, other] = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return [element.tagName + ' ' + element.className, Math.round(ratio * 10) / 10];
  }).sort((one, other) => one[1] - other[1]);
})()`;

const LEVELS = ['info', 'debug', 'warn', 'error', 'fatal', null] as const;

/** A line with a match in each color, style and level, and in fields. */
async function openColours(page: Page): Promise<void> {
  const looks = [1, 2, 3, 4, 9, ...Array.from({ length: 8 }, (_, at) => 30 + at)];
  looks.push(...Array.from({ length: 8 }, (_, at) => 90 + at));
  const logs = new ScriptedLogs();
  const source = logs.add({ name: 'shop' }, looks.length + LEVELS.length, (seq) => {
    const look = looks[seq - 1];
    return look === undefined
      ? `order=o-${seq} note="an order" order`
      : `\x1b[${look}mthis order is number ${seq}\x1b[0m after`;
  });
  source.level = (seq) => LEVELS[seq - looks.length - 1] ?? null;
  await logs.serve(page);
  await open(page, '/logs?sources=container/docker/shop&mark=order');
  await expect(page.locator('.ll')).toHaveCount(looks.length + LEVELS.length);
  await expect(page.locator('.ll mark.ansi-red')).toHaveCount(2);
  await expect(page.locator('.ll mark.f')).toHaveCount(LEVELS.length);
}

test('shows matches and other text with enough contrast in every color and field', async ({ page }) => {
  await openColours(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Normal, hovered and selected.
    await page.locator('.ll').nth(3).hover();
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('Home');
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('Shift+ArrowDown');
    const contrasts = await page.evaluate<[string, number][]>(CONTRASTS);
    expect(contrasts.length).toBeGreaterThan(60);
    expect(contrasts.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    await page.keyboard.press('End');
    expect((await page.evaluate<[string, number][]>(CONTRASTS)).filter(([, ratio]) => ratio < 4.5)).toEqual(
      [],
    );
  }
});
