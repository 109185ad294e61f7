import type { Locator, Page } from '@playwright/test';

/** Chooses from the menu of an object. @param within the panel of the object, or its page */
export async function chooseMore(within: Locator | Page, name: string): Promise<void> {
  await within.getByRole('button', { name: /^More actions for / }).click();
  const page = 'page' in within ? within.page() : within;
  await page.getByRole('menuitem', { name }).click();
}
