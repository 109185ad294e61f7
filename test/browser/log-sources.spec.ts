import { expect, open, startBoard, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';
import { signIn } from '../support/app/signed-in.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';

const POD = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;

test('a selected namespace includes future sources, also after a reload', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ ...POD, key: 'pod/docker/dev/1/cart', name: 'cart-7d9f8b6c54-x2lqp' }, 5);
  logs.add({ name: 'redis' }, 5);
  await logs.serve(page);
  await open(page, '/logs');
  const tree = page.getByRole('tree', { name: 'Sources' });
  await tree.getByRole('treeitem', { name: 'shop', exact: true }).click();
  await expect(page).toHaveURL(/\/logs\?runtime=docker&cluster=dev&namespace=shop$/);
  await expect(page.locator('.ll')).toHaveCount(5);
  const next = logs.add({ ...POD, key: 'pod/docker/dev/2/cart', name: 'cart-5c9d8b7f6-b2c3d' }, 5);
  logs.change(next, {});
  await expect(page.getByText('2 of 3 sources, and new ones')).toBeVisible();
  await expect(page.locator('.ll')).toHaveCount(10);
  await page.reload();
  await expect(page.locator('.ll')).toHaveCount(10);
  // A group, a single source, and another group.
  await tree.getByRole('treeitem', { name: 'redis' }).click();
  await expect(page).toHaveURL(/namespace=shop&sources=container/);
  await expect(page.locator('.ll')).toHaveCount(15);
  // This selects all others; when it is deselected, they stay selected as groups.
  const others = tree.getByRole('treeitem', { name: 'Other containers' });
  await others.click();
  await expect(others).toHaveAttribute('aria-checked', 'false');
  await others.click();
  await expect(page).toHaveURL(
    /\?of=runtime:docker;cluster:dev;namespace:shop&of=runtime:docker;container:\*$/,
  );
  await page.reload();
  await expect(page.getByText('3 of 3 sources, and new ones')).toBeVisible();
  await tree.getByRole('treeitem', { name: 'redis' }).focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: /^Actions for/ })).toBeVisible();
});

test('the keyboard can stop collecting a source, resume it, and delete its history', async ({ page }) => {
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
