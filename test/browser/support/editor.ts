import type { Locator, Page } from '@playwright/test';

/** Replaces the content of an editor, as by selecting all and typing. */
export async function enterText(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}
