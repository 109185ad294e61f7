import type { Locator, Page } from '@playwright/test';
import { expectNoOverflow } from './support/accessibility.js';
import { expect, open, test as boardTest } from './support/board-fixtures.js';
import { test } from './support/fixtures.js';

/** Desktop, tablet and phone. axe runs in the spec of each page, on more content. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
];
/** Google's limit of a good page is 0.1. */
const MAX_SHIFT = 0.05;
/** Fonts, figures and further requests come after the heading. */
const QUIET_MS = 200;

interface Screen {
  path: string;
  heading: string | RegExp;
  /** Where a part of the page takes its place, or only screen readers have it. */
  isHeadingHidden?: boolean;
  /** Where new rows come first, and move the others. */
  isMoving?: boolean;
  /** The purpose of the screen. */
  action?: (page: Page) => Locator;
  /** Shown once the content is loaded. */
  content?: (page: Page) => Locator;
}

const button =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('button', { name, exact: true });
const search =
  (name: string) =>
  (page: Page): Locator =>
    page.getByRole('searchbox', { name, exact: true });
const grid =
  (name: string | RegExp) =>
  (page: Page): Locator =>
    page.getByRole('grid', { name });
const text =
  (part: string | RegExp) =>
  (page: Page): Locator =>
    page.getByText(part).filter({ visible: true }).first();
const table = (group: string, plural: string, title: string): Screen => ({
  path: `/cluster/shop/resources/${group}/v1/${plural}?runtime=demo`,
  heading: title,
  action: search('Filter rows'),
  content: grid(`${title} of shop`),
});

const EMPTY: readonly Screen[] = [
  { path: '/clusters', heading: 'Clusters', action: button('Create cluster') },
  { path: '/jobs', heading: 'Jobs' },
];

const dashboard = (job: number): readonly Screen[] => [
  { path: '/clusters', heading: 'Clusters', action: button('Create cluster'), content: grid('Clusters') },
  { path: '/cluster/shop', heading: 'shop', action: button('Stop'), content: text('control-plane') },
  table('core', 'pods', 'Pods'),
  table('core', 'nodes', 'Nodes'),
  { ...table('core', 'events', 'Events'), isMoving: true },
  table('core', 'services', 'Services'),
  {
    path: '/cluster/shop/addons',
    heading: 'Addons of shop',
    action: search('Filter the catalog'),
    content: text('Other charts'),
  },
  {
    path: '/cluster/shop/config',
    heading: 'Config of shop',
    action: button('Save'),
    content: text('kind.x-k8s.io'),
  },
  { path: '/cluster/shop/apply', heading: 'Apply YAML to shop', action: button('Apply') },
  { path: `/jobs?job=${job}`, heading: 'Jobs', isHeadingHidden: true, content: grid(/^Log of job/) },
  {
    path: `/clusters?progress=${job}`,
    isHeadingHidden: true,
    heading: 'Clusters',
    action: button('Close'),
    content: (page) => page.getByRole('dialog'),
  },
  { path: '/journal', heading: 'Journal', action: search('Search messages'), content: text(/created/i) },
  {
    path: '/diagnostics',
    heading: 'Diagnostics',
    action: button('Run checks again'),
    content: text('Checks'),
  },
  { path: '/diagnostics/images', heading: 'Images and disk', content: text('Node images') },
  { path: '/documentation', heading: /^Slipway/, action: search('Search the documentation') },
  { path: '/sessions', heading: 'Access tokens', action: button('Create token') },
  { path: '/nothing', heading: 'Not found', isHeadingHidden: true, content: text('Page not found') },
];

const SIGN_IN: Screen = { path: '/login', heading: /./, action: button('Sign in') };

const BOARD: readonly Screen[] = [
  {
    path: '/logs',
    heading: 'Logs',
    isHeadingHidden: true,
    action: button('Apps'),
    content: (page) => page.locator('.ll').first(),
  },
  { path: '/saved-searches', heading: 'Saved searches', content: text('No saved searches') },
  { path: '/alerts', heading: 'Alerts', action: (page) => button('Create alert')(page).first() },
  { path: '/storage', heading: 'Storage', content: text('APP_LOG_HISTORY_SIZE') },
  { path: '/sessions', heading: 'Sessions', action: button(/^Sign out/), content: text('Access tokens') },
];

/** Opens a screen as by its address, and checks what every screen must be. */
async function check(page: Page, screen: Screen): Promise<void> {
  await test.step(screen.path, async () => {
    await page.goto(screen.path);
    const heading = page.getByRole('heading', { level: 1, name: screen.heading, includeHidden: true });
    await expect(heading).toBeAttached();
    await expect((screen.content ?? (() => heading))(page)).toBeVisible();
    if (!screen.isHeadingHidden) await expect.soft(heading).toBeInViewport();
    if (screen.action) await expect.soft(screen.action(page)).toBeInViewport({ ratio: 1 });
    await expectNoOverflow(page);
    if (screen.isMoving) return;
    const shifts = await page.evaluate<Shift[]>(
      `new Promise((resolve) => setTimeout(() => resolve(window.shifts), ${QUIET_MS}))`,
    );
    const total = shifts.reduce((sum, { value }) => sum + value, 0);
    expect
      .soft(total, `layout shift of ${screen.path}: ${JSON.stringify(shifts)}`)
      .toBeLessThanOrEqual(MAX_SHIFT);
  });
}

interface Shift {
  value: number;
  moved: string[];
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`
    window.shifts = [];
    new PerformanceObserver((list) => {
      // A screen that covers the page hides shifts behind it.
      const cover = document.querySelector('sw-job-screen-dialog');
      const isSeen = ({ node }) => !cover || cover.contains(node);
      const areaOf = (sources) => sources.reduce((sum, { previousRect, currentRect }) => sum + previousRect.width * previousRect.height + currentRect.width * currentRect.height, 0);
      for (const { value, hadRecentInput, sources } of list.getEntries()) {
        const seen = sources.filter(isSeen);
        if (hadRecentInput || seen.length === 0) continue;
        const moved = seen.map(({ node }) => node?.nodeName + '.' + node?.className);
        window.shifts.push({ value: value * areaOf(seen) / areaOf(sources), moved });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

test.describe.configure({ mode: 'parallel' });

for (const size of SIZES) {
  test.describe(`at ${size.width} px`, () => {
    test.use({ viewport: size });

    test('shows each screen of the dashboard in place and within the page', async ({
      page,
      product,
      guard,
    }) => {
      // Among them those of the page that does not exist.
      guard.expect(/status of 404/);
      await watchShifts(page);
      for (const screen of EMPTY) await check(page, screen);
      const id = await product.createCluster('shop', { workers: 2 });
      // Problems of the demo are found within seconds, and come first on the page.
      await expect.poll(async () => (await product.call<unknown[]>('GET', '/problems')).length).toBe(3);
      for (const screen of dashboard(id)) await check(page, screen);
    });
  });

  boardTest.describe(`at ${size.width} px`, () => {
    boardTest.use({ viewport: size });

    boardTest('shows each screen of the log board in place and within the page', async ({ page }) => {
      await watchShifts(page);
      await check(page, SIGN_IN);
      await open(page, '/storage');
      for (const screen of BOARD) await check(page, screen);
    });
  });
}
