import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as base } from '../../browser/support/fixtures.js';
import { Product } from '../support/product.js';

interface RealFixtures {
  /** A home of this test's own, which the product takes for the user's. */
  home: string;
  real: Product;
  demoSeen: () => Promise<string[]>;
}

/** The product on real engines; a page that says "demo" anywhere is not the real thing. */
export const test = base.extend<RealFixtures>({
  home: async ({}, use) => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
    await use(home);
    rmSync(home, { recursive: true, force: true });
  },
  environment: async ({}, use) => {
    await use({});
  },
  real: async ({ home, environment }, use) => {
    const product = await Product.started({ KUBECONFIG: join(home, 'config'), ...environment });
    await use(product);
    await product.discard();
  },
  baseURL: async ({ real }, use) => {
    await use(real.url);
  },
  demoSeen: [
    async ({ page }, use) => {
      const seen = await watchForDemo(page);
      await use(seen);
      expect(await seen()).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** A badge of the demo may appear for a moment only, so every change of the page is looked at. */
async function watchForDemo(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(`
    window.demoSeen = [];
    new MutationObserver(() => {
      const text = document.body?.innerText ?? '';
      const line = text.split('\\n').find((candidate) => /\\bdemo\\b/i.test(candidate));
      if (line && window.demoSeen.length < 5) window.demoSeen.push(line);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  `);
  return async () => await page.evaluate<string[]>('window.demoSeen ?? []');
}
