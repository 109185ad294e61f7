import { expect, type Page } from '@playwright/test';
import axe, { type Result, type RunOptions } from 'axe-core';

const PHONE = { width: 390, height: 844 };
/** Overlays such as menus are outside of landmarks by design. */
const NOT_OURS = { region: { enabled: false } };
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules whose result depends on the width. */
const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable'];

/**
 * Checks the current page with axe: all rules in the light theme, contrast in the dark theme, and in phone width the
 * rules about layout, and that nothing overflows. This takes seconds of CPU time: once per page is enough, and a dialog
 * is checked without the page behind it.
 * @param within selector of the part to check
 */
export async function expectAccessible(page: Page, within = 'html'): Promise<void> {
  const desktop = page.viewportSize();
  // At other scroll positions the sticky header may cover half of a control, which axe reports as too small.
  await page.evaluate('scrollTo(0, 0)');
  await page.evaluate(axe.source);
  await expectNoViolations(page, within, 'light', { runOnly: RULES, rules: NOT_OURS });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, within, 'dark', { runOnly: ['color-contrast'] });
  await page.setViewportSize(PHONE);
  await expectNoViolations(page, within, 'phone', { runOnly: LAYOUT_RULES });
  await expectNoOverflow(page);
  await page.emulateMedia({ colorScheme: 'light' });
  if (desktop) await page.setViewportSize(desktop);
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        if (width === 0 || right <= window.innerWidth + 1) return false;
        // Content of scroll containers may be wider than the page.
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
          if (getComputedStyle(parent).overflowX !== 'visible' && parent !== document.body && parent !== document.documentElement) return false;
        }
        return true;
      })
      .map((element) => element.tagName + '.' + element.className)
      .slice(0, 5)
  `);
  expect(wide, 'elements that overflow the page').toEqual([]);
}

async function expectNoViolations(
  page: Page,
  within: string,
  mode: string,
  options: RunOptions,
): Promise<void> {
  const all: RunOptions = { ...options, resultTypes: ['violations'] };
  const violations = await page.evaluate<Result[]>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(all)}).then(({ violations }) => violations)`,
  );
  const messages = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)
        .join(' | ')}`,
  );
  expect(messages, `accessibility, ${mode}`).toEqual([]);
}
