import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const PHONE = { width: 390, height: 844 };
/** What floats, a menu for one, stands beside the landmarks by its nature. */
const NOT_OURS = ['region'];
/** The look before has brought axe into the page. */
const LOADED = 'window.axe;';
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Looks at what is on the screen: every rule in the light, contrast again in the dark, and in phone width
 * what a layout can break. Nothing may hang over the edge there.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const desk = page.viewportSize();
  await expectNoViolations('light', axe(page).withTags(RULES).disableRules(NOT_OURS));
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations('dark', axe(page, LOADED).withRules(['color-contrast']));
  await page.setViewportSize(PHONE);
  await expectNoViolations(
    'phone',
    axe(page, LOADED)
      .withTags(RULES)
      .disableRules([...NOT_OURS, 'color-contrast']),
  );
  await expectNoOverflow(page);
  await page.emulateMedia({ colorScheme: 'light' });
  if (desk) await page.setViewportSize(desk);
}

/**
 * There are no frames here: the mode without them spares a second page for each look. What a rule did not find
 * is not described.
 * @param axeSource what brings axe into the page; by default axe itself, which is half a megabyte.
 */
function axe(page: Page, axeSource?: string): AxeBuilder {
  return new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ['violations'] });
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

async function expectNoViolations(where: string, look: AxeBuilder): Promise<void> {
  const { violations } = await look.analyze();
  const said = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .slice(0, 3)
        .map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`)
        .join(' | ')}`,
  );
  expect(said, `accessibility, ${where}`).toEqual([]);
}
