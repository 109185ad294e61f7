import { expect, open, startBoard, test } from './support/board-fixtures.js';
import { signIn } from '../support/app/signed-in.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';

test('stops collecting a source, resumes it, and deletes its history by keyboard only', async ({ page }) => {
  const board = await startBoard({ APP_DEMO_SPEED: '20' });
  try {
    await open(page, `${board.boardOrigin}/logs`);
    const { bearer: headers } = await signIn({ client: board.board });
    const sources = async (): Promise<LogSourceDto[]> =>
      (await board.board.send('GET', '/api/sources', { headers })).body as LogSourceDto[];
    const postgres = async (): Promise<LogSourceDto | undefined> =>
      (await sources()).find(({ name }) => name.startsWith('postgres'));
    await expect.poll(async () => (await postgres())?.next_seq ?? 0).toBeGreaterThan(3);
    const { key = '', id = 0 } = (await postgres()) ?? {};
    await page.goto(`${board.boardOrigin}/logs?sources=${key}`);
    await expect(page.locator('.ll').first()).toBeVisible();
    const row = page.getByRole('tree', { name: 'Sources' }).locator('[aria-checked=true].leaf');
    await row.focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu', { name: /^Actions for/ });
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(row).toBeFocused();
    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Stop collecting' }).press('Enter');
    await expect(row).toContainText('not collected');
    await expect(row).toBeFocused();

    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Delete history …' }).press('Enter');
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText(/\d+ lines?, .* of text/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('log')).toContainText(/Deleted .* lines? of .*postgres/);
    await expect(page.locator('.ll')).toHaveCount(0);
    await expect(row).toBeFocused();
    const kept = (await sources()).find((source) => source.id === id);
    expect(kept?.first_seq).toBe(kept?.next_seq);

    await page.keyboard.press('Shift+F10');
    await menu.getByRole('menuitem', { name: 'Resume collection' }).press('Enter');
    await expect(row).not.toContainText('not collected');
  } finally {
    await page.close();
    await board.stop();
  }
});
