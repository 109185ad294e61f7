import type { Locator, Page } from '@playwright/test';

/** Takes the place of everything that stands in an editor, as who selects all and types would. */
export async function enterText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}
