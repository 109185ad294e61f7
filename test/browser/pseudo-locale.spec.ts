import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { readProject } from '../../backend/src/core/config/project.js';
import { expectNoOverflow } from './support/accessibility.js';
import { expect, open, test as boardTest } from './support/board-fixtures.js';
import { test } from './support/fixtures.js';

const PHONE = { viewport: { width: 390, height: 844 } };
/** Keys, commands, files and lines are the same in each language; the documentation is in English. */
const LITERAL =
  'code, pre, kbd, svg, script, style, .mono, .cm-editor, .ll, sw-markdown-article, [data-level]';
/** Names and units. */
const ALWAYS =
  /^(https?:.*|slipway|kubernetes|docker( engine)?|podman|kind|helm|yaml|json|cpu|api|admin|ctrl \w|((b|kb|mb|gb|mi|gi|ms|s|min|h|d)(\/s)?[\d., ]*)+)$/;
/** Content that loads after the heading. */
const QUIET_MS = 400;

const DASHBOARD = [
  '/clusters',
  '/clusters?create=1',
  '/cluster/shop',
  '/cluster/shop/resources/core/v1/pods?runtime=demo',
  '/cluster/shop/resources/core/v1/nodes?runtime=demo',
  '/cluster/shop/addons',
  '/cluster/shop/config',
  '/cluster/shop/apply',
  '/jobs',
  '/journal',
  '/diagnostics',
  '/diagnostics/images',
  '/documentation',
  '/sessions',
  '/nothing',
];
const BOARD = ['/logs', '/saved-searches', '/alerts', '/storage', '/sessions'];

/** Replaces the scripts of the served page by those of a build in which each letter of each message has an accent. */
async function usePseudoScripts(page: Page, application: string): Promise<void> {
  const folder = join(readProject().root, '.cache', 'pseudo', application);
  await page.route('**/*.js', async (route) => {
    const path = new URL(route.request().url()).pathname.replace(/^\/first-.*/, '/main.js');
    if (existsSync(join(folder, path))) await route.fulfill({ path: join(folder, path) });
    else await route.continue();
  });
}

/** Records responses and messages as the page decodes and parses them. */
async function recordData(page: Page): Promise<void> {
  await page.addInitScript(`
    window.received = [];
    for (const [target, name] of [[JSON, 'parse'], [TextDecoder.prototype, 'decode']]) {
      const original = target[name];
      target[name] = function (...values) {
        const result = original.apply(this, values);
        window.received.push(name === 'parse' ? values[0] : result);
        return result;
      };
    }
  `);
}

/** All strings that the page has received, in lower case. */
async function receivedBy(page: Page): Promise<readonly string[]> {
  const strings = new Set<string>();
  for (const text of await page.evaluate<string[]>('window.received')) {
    try {
      JSON.parse(text, (key, value: unknown) => {
        strings.add(key.toLowerCase());
        if (typeof value === 'string') strings.add(value.toLowerCase());
        return value;
      });
    } catch {
      strings.add(text.toLowerCase());
    }
  }
  return [...strings];
}

/** Texts and labels on the page. */
async function textsOf(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(`(() => {
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (data.trim() && !parentElement.closest(${JSON.stringify(LITERAL)}) && parentElement.checkVisibility()) texts.push(data.trim());
    }
    for (const name of ['title', 'aria-label', 'placeholder'])
      for (const element of document.querySelectorAll('[' + name + ']'))
        if (!element.closest(${JSON.stringify(LITERAL)})) texts.push(element.getAttribute(name));
    return texts;
  })()`);
}

/**
 * The parts of a text without an accent that are not data; `namespace/name`, `name: value` and lists are of several
 * strings. `Intl.ListFormat` joins lists in English, since it has no pseudo-locale.
 */
function englishIn(text: string, data: readonly string[]): string[] {
  return text
    .split(/[^\x20-\x7e]+|[[\]()“”]/)
    .map((part) => part.toLowerCase().replace(/^[^a-z]+|[^a-z]+$/g, ''))
    .filter(
      (part) =>
        !isKnown(part, data) &&
        !part.split(/(?:^|,? )(?:and|or) |[/:,] ?/).every((word) => isKnown(word, data)),
    );
}

function isKnown(part: string, data: readonly string[]): boolean {
  return !/[a-z]{2}/.test(part) || ALWAYS.test(part) || data.some((known) => known.includes(part));
}

async function expectTranslated(page: Page, path: string): Promise<void> {
  await test.step(path, async () => {
    await page.goto(path);
    await expect(page.locator('h1').first()).toBeAttached();
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${QUIET_MS}))`);
    const texts = await textsOf(page);
    const data = await receivedBy(page);
    const found = texts.flatMap((text) => englishIn(text, data).map((part) => `${part} | ${text}`));
    expect.soft([...new Set(found)], `English on ${path}`).toEqual([]);
    const cut = await page.evaluate<string[]>(`
      [...document.querySelectorAll('button, .btn, .tag, .panel, label')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
        .filter((element) => getComputedStyle(element).overflowX === 'visible')
        .map((element) => element.className + ': ' + element.textContent.trim().slice(0, 60))
    `);
    expect.soft(cut, `elements on ${path} whose content is too wide`).toEqual([]);
    await expectNoOverflow(page);
  });
}

test.describe.configure({ mode: 'parallel' });

test.describe('the dashboard in a pseudo-locale', () => {
  test.use(PHONE);

  test('has no English outside of messages, and fits on a phone', async ({ page, product, guard }) => {
    guard.expect(/status of 404/);
    await product.createCluster('shop', { workers: 2 });
    await recordData(page);
    await usePseudoScripts(page, 'dashboard');
    for (const path of DASHBOARD) await expectTranslated(page, path);
  });
});

boardTest.describe('the log board in a pseudo-locale', () => {
  boardTest.use(PHONE);

  boardTest('has no English outside of messages, and fits on a phone', async ({ page }) => {
    await recordData(page);
    await usePseudoScripts(page, 'log-board');
    await open(page, '/storage');
    for (const path of BOARD) await expectTranslated(page, path);
  });
});
