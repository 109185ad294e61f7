import { test as base } from '@playwright/test';
import { LOG_BOARD_PASSWORD } from '../../support/app/log-board-password.js';
import { Product } from './product.js';
import { ProductPool } from './product-pool.js';

interface WorkerFixtures {
  /** Dashboards for the tests of one worker. */
  products: ProductPool;
  /** A log board for the tests of one worker. Each test starts without a session. */
  board: Product;
}

/**
 * The base of all tests. Playwright starts another worker for tests with other worker fixtures, which takes seconds:
 * define them here only.
 */
export const test = base.extend<object, WorkerFixtures>({
  products: [
    async ({}, use) => {
      const pool = new ProductPool();
      await use(pool);
      await pool.close();
    },
    { scope: 'worker' },
  ],
  board: [
    async ({}, use) => {
      const board = await startBoard();
      await use(board);
      await board.stop();
    },
    { scope: 'worker' },
  ],
});

export async function startBoard(environment: Record<string, string> = {}): Promise<Product> {
  return await Product.start({ APP_RUNTIME: 'demo', APP_PASS: LOG_BOARD_PASSWORD, ...environment }, [
    'log-board',
  ]);
}
