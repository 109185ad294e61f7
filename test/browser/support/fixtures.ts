import { expect } from '@playwright/test';
import { guardFixture, type PageGuard } from './page-guard.js';
import type { Product } from './product.js';
import { test as base } from './worker-fixtures.js';

interface Options {
  /** Configuration of the product, without its ports and its data folder. `test.use({ environment: { … } })`. */
  environment: Record<string, string>;
  /** Whether a test needs a product without journal entries and jobs of earlier tests. `test.use({ fresh: true })`. */
  fresh: boolean;
}

interface Fixtures {
  /** A product without clusters; `page.goto('/clusters')` goes there. */
  product: Product;
  guard: PageGuard;
}

/**
 * A test of the dashboard, whose page must not report errors. Tests of one worker share a product per environment:
 * each begins without clusters and finished jobs, but the journal and job ids go on.
 */
export const test = base.extend<Options & Fixtures>({
  environment: [{ APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100' }, { option: true }],
  fresh: [false, { option: true }],
  product: async ({ environment, fresh, products }, use, testInfo) => {
    const product = await products.take(environment, { fresh });
    const start = product.log.length;
    await use(product);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('log of the product', {
        body: product.log.slice(start),
        contentType: 'text/plain',
      });
      await products.close();
    }
  },
  baseURL: async ({ product }, use) => {
    await use(product.origin);
  },
  guard: [...guardFixture],
});

export { expect };
