import { expect, test as base } from '@playwright/test';
import { guardFixture, type PageGuard } from './page-guard.js';
import { Product } from './product.js';

interface Options {
  /** What the product is told, beside its port and its data. `test.use({ environment: { … } })`. */
  environment: Record<string, string>;
}

interface Fixtures {
  /** A product of this test's own; `page.goto('/clusters')` goes there. */
  product: Product;
  guard: PageGuard;
}

/** A test with a product of its own, whose page may not say anything that a sound one never says. */
export const test = base.extend<Options & Fixtures>({
  environment: [{ APP_RUNTIME: 'demo', APP_DEMO_SPEED: '100' }, { option: true }],
  product: async ({ environment }, use, testInfo) => {
    const product = await Product.start(environment);
    await use(product);
    await product.stop();
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('log of the product', { body: product.log, contentType: 'text/plain' });
    }
  },
  baseURL: async ({ product }, use) => {
    await use(product.origin);
  },
  guard: [...guardFixture],
});

export { expect };
