import {
  startBoard,
  expect as baseExpect,
  open,
  test as base,
} from '../../browser/support/board-fixtures.js';
import type { Product } from '../../browser/support/product.js';
import { engines, engineSockets, run } from '../support/engines.js';

const IMAGE = process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0';
/** A busy engine may take long to start and remove a container. */
const expect = baseExpect.configure({ timeout: 20_000 });

/** A log board with the engines of this machine. */
const test = base.extend<object, { board: Product }>({
  board: [
    async ({}, use) => {
      const board = await startBoard({ APP_RUNTIME: 'auto', ...engineSockets() });
      await use(board);
      await board.stop();
    },
    { scope: 'worker' },
  ],
});

for (const engine of engines) {
  const name = `logs-page-${engine}`;
  const remove = (): Promise<string> => run(engine, ['rm', '--force', name]).catch(() => '');

  test(`on ${engine}: shows the live lines of a new container, and its lines after the deletion`, async ({
    page,
  }) => {
    await remove();
    try {
      await open(page, '/logs');
      const tree = page.getByRole('tree', { name: 'Sources' });
      await expect(page.getByText(/^Live/)).toBeVisible();
      // The filter also expands the groups of what it finds.
      await page.getByRole('searchbox', { name: 'Filter sources' }).fill(name);
      const leaf = tree.getByRole('treeitem', { name });
      await expect(leaf).toHaveCount(0);
      const script = 'i=0; while :; do i=$((i+1)); echo "round $i of many"; sleep 0.1; done';
      await run(engine, ['run', '--detach', `--name=${name}`, '--entrypoint=sh', IMAGE, '-c', script]);
      await leaf.click();
      await expect(page).toHaveURL(new RegExp(`container(/|%2F)${engine}`));

      const lines = page.getByRole('grid', { name: 'Lines' });
      const round = (number: number): ReturnType<typeof lines.getByText> =>
        lines.getByText(`round ${number} of many`, { exact: true });
      const newest = async (): Promise<number> => {
        const text = await lines
          .getByText(/^round \d+ of many$/)
          .last()
          .textContent();
        return Number(/\d+/.exec(text ?? '')?.[0]);
      };
      await expect(lines.getByText(/^round \d+ of many$/).last()).toBeVisible();
      const first = await newest();
      // Live, without a reload.
      await expect(round(first + 10)).toBeVisible();

      await remove();
      await expect(tree.getByRole('treeitem', { name: new RegExp(`^${name} .*deleted`, 'i') })).toBeVisible();
      const last = await newest();
      expect(last).toBeGreaterThanOrEqual(first + 10);
      await page.reload();
      await expect(round(last)).toBeVisible();
      await expect(round(last - 5)).toBeVisible();
      await expect(round(last + 1)).toHaveCount(0);
    } finally {
      await remove();
    }
  });
}
