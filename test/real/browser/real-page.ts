import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as base } from '../../browser/support/fixtures.js';
import { Product } from '../support/product.js';

interface RealFixtures {
  /** A home folder for the test, which the product uses as the user's. */
  home: string;
  real: Product;
  demoSeen: () => Promise<string[]>;
}

/** The product on real engines. The text "demo" must not appear on any page. */
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

/** Checks every change of the page, because a demo badge may be visible for a moment only. */
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
