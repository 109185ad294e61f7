import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const PHONE = { width: 390, height: 844 };
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Looks at what is on the screen in both themes, and in phone width; nothing may hang over the edge there. */
export async function expectAccessible(page: Page): Promise<void> {
  const desk = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, colorScheme);
  }
  await page.setViewportSize(PHONE);
  await expectNoViolations(page, 'dark, phone');
  await expectNoOverflow(page);
  await page.emulateMedia({ colorScheme: 'light' });
  if (desk) await page.setViewportSize(desk);
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(`
    [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { right, width } = element.getBoundingClientRect();
        if (width === 0 || right <= window.innerWidth + 1) return false;
        // What scrolls by itself may be wider than the page.
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
          if (getComputedStyle(parent).overflowX !== 'visible' && parent !== document.body && parent !== document.documentElement) return false;
        }
        return true;
      })
      .map((element) => element.tagName + '.' + element.className)
      .slice(0, 5)
  `);
  expect(wide, 'what hangs over the right edge').toEqual([]);
}

async function expectNoViolations(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(RULES)
    // What floats, a menu for one, stands beside the landmarks by its nature.
    .disableRules(['region'])
    .analyze();
  const said = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)
        .join(' | ')}`,
  );
  expect(said, `accessibility, ${where}`).toEqual([]);
}
