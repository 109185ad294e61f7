import type { Page } from '@playwright/test';
import { expect, test as base } from '../../browser/support/fixtures.js';
import { deleteWithKind, engines, leftOf, NOTHING, tracesOf } from '../support/engines.js';
import { Product } from '../support/product.js';

/** The product on real engines; a page that says "demo" anywhere is not the real thing. */
const test = base.extend<{ real: Product }>({
  real: async ({}, use) => {
    const product = await Product.started();
    await use(product);
    await product.discard();
  },
  baseURL: async ({ real }, use) => {
    await use(real.url);
  },
});

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
  return async () => await page.evaluate<string[]>('window.demoSeen');
}

for (const engine of engines) {
  const name = `browser-${engine}`;

  test(`on ${engine}: create, watch, open, delete`, async ({ page, real }) => {
    await deleteWithKind(engine, name);
    const tag = await real.nodeImageTag();
    const demoSeen = await watchForDemo(page);
    try {
      await page.goto('/clusters');
      await page.getByRole('button', { name: /^(New cluster|Create the first one)$/ }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Workers', { exact: true }).fill('1');
      await page.getByLabel('Node image tag').fill(tag);
      // An engine that nobody asked to prove may be there all the same: then there is a choice.
      const choice = page.getByRole('radio', { name: new RegExp(engine, 'i') });
      if ((await choice.count()) > 0) await choice.check({ force: true });
      const clicked = performance.now();
      await page.getByRole('button', { name: 'Create cluster' }).click();

      const screen = page.getByRole('dialog');
      await expect(screen.getByRole('progressbar')).toBeVisible();
      expect(performance.now() - clicked).toBeLessThan(5000);
      // kind's own steps pass by while it works.
      await expect(screen.getByText('Preparing nodes').first()).toBeVisible({ timeout: 60_000 });
      const open = screen.getByRole('button', { name: `Open ${name}` });
      await expect(open).toBeVisible({ timeout: 240_000 });
      await open.click();

      await expect(page).toHaveURL(new RegExp(`/cluster/${name}`));
      await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
      await expect(page.getByRole('img', { name: '1 control plane, 1 worker, all running' })).toBeVisible();
      const had = await tracesOf(engine, name);
      expect(had.containers).toEqual([`${name}-control-plane`, `${name}-worker`]);
      // Live figures of a real node: its memory is never nought.
      await expect(page.getByText(/[1-9][\d.]* [MG]B of/).first()).toBeVisible({ timeout: 20_000 });

      await page.getByRole('button', { name: `More for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Delete/ })
        .click();
      await expect(page).toHaveURL(/\/clusters$/, { timeout: 60_000 });
      await expect(page.getByText(`${name} was deleted.`)).toBeVisible({ timeout: 30_000 });
      expect(await leftOf(engine, name, had)).toEqual(NOTHING);
      expect(await demoSeen()).toEqual([]);
    } finally {
      await deleteWithKind(engine, name);
    }
  });
}
