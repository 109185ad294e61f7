import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

interface Entry {
  id: number;
  time: string;
  kind: string;
  cluster: string | null;
  runtime: string | null;
  subject: string | null;
  outcome: string;
  message: string;
  job_id: number | null;
  duration_ms: number | null;
  actor: Actor;
  group_size: number;
  group_failed: number;
  has_diff: boolean;
}

interface Actor {
  kind: string;
  user: string;
  id: string | null;
  name: string | null;
  address: string | null;
}

const ACTORS: readonly Actor[] = [
  { kind: 'session', user: 'ada', id: 'b3JpZ2', name: null, address: '10.0.0.7' },
  { kind: 'system', user: 'system', id: null, name: null, address: null },
];

function entriesOf(count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => ({
    id: count - index,
    time: new Date(Date.now() - index * 3_600_000).toISOString(),
    kind: index % 7 === 0 ? 'node-stopped' : 'create',
    cluster: index % 2 === 0 ? 'alpha' : 'a-name-with-exactly-forty-characters-a12',
    runtime: 'demo',
    subject: null,
    outcome: index % 5 === 0 ? 'failed' : 'succeeded',
    message: `Entry ${count - index} says what happened to this cluster, and in which of its steps.`,
    job_id: index % 7 === 0 ? null : count - index,
    duration_ms: index % 7 === 0 ? null : 34_120,
    actor: ACTORS[index % 7 === 0 ? 1 : 0] as Actor,
    group_size: 1,
    group_failed: 0,
    has_diff: false,
  }));
}

/** Replaces the journal, with the API's paging. */
async function giveJournal(page: Page, entries: () => Entry[]): Promise<void> {
  await page.route('**/api/v1/journal/recent?*', async (route) => {
    const params = new URL(route.request().url()).searchParams;
    const fit = entries().filter(
      ({ time, cluster, kind, outcome, message, actor }) =>
        [
          [cluster, params.get('cluster')],
          [kind, params.get('kind')],
          [outcome, params.get('outcome')],
          [actor.user, params.get('actor')],
        ].every(([value, wanted]) => wanted === null || value === wanted) &&
        time >= (params.get('since') ?? '') &&
        time < (params.get('until') ?? '~') &&
        message.includes(params.get('text') ?? ''),
    );
    const limit = Number(params.get('limit'));
    const offset = Number(params.get('offset'));
    await route.fulfill({
      json: {
        entries: fit.slice(offset, offset + limit),
        total: fit.length,
        page: Math.floor(offset / limit) + 1,
        total_pages: Math.ceil(fit.length / limit),
        limit,
        offset,
      },
    });
  });
}

test.describe('without entries', () => {
  test.use({ fresh: true });

  test('explains an empty journal and shows its first entry', async ({ page, product }) => {
    await page.goto('/journal');
    await expect(page.getByRole('heading', { name: 'No entries' })).toBeVisible();
    await product.createCluster('staging');
    const row = page.getByRole('row', { name: /staging/ });
    await expect(row).toContainText('Created staging with 1 control plane and 1 worker of v1.34.4 on demo.');
    await expect(row.getByRole('img', { name: 'Succeeded' })).toBeVisible();
    await row.getByRole('link', { name: 'Job 1' }).click();
    await expect(page).toHaveURL(/\/jobs\?job=1$/);
    await page.goBack();
    await row.getByRole('link', { name: 'staging' }).click();
    await expect(page).toHaveURL(/\/cluster\/staging/);
  });
});

test('keeps pages in the URL and supports Back', async ({ page }) => {
  await giveJournal(page, () => entriesOf(500));
  await page.goto('/journal');
  await expect(page.getByText('1 to 30 of 500', { exact: true })).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages of the journal' });
  await expect(pages.getByRole('link', { name: 'Page 1', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await pages.getByRole('link', { name: 'Older page' }).click();
  await expect(page.getByText('31 to 60 of 500', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/page=2/);
  await pages.getByRole('link', { name: 'Page 17' }).click();
  await expect(page.getByText('481 to 500 of 500', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('31 to 60 of 500', { exact: true })).toBeVisible();
  await page.getByLabel('Entries per page').selectOption('100');
  await expect(page.getByText('1 to 100 of 500', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/size=100/);
  await page.reload();
  await expect(page.getByText('1 to 100 of 500', { exact: true })).toBeVisible();
  await page.goto('/journal?page=99');
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await expect(page.getByText('481 to 500 of 500', { exact: true })).toBeVisible();
});

test('filters by actor and period, and exports the filtered entries', async ({ page, product }) => {
  await giveJournal(page, () => entriesOf(60));
  await page.goto('/journal');
  const actor = page.getByRole('combobox', { name: 'Actor' });
  await actor.fill('Slipway');
  await expect(page).toHaveURL(/actor=system/);
  await expect(page.getByText('1 to 9 of 9', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await actor.fill('');
  await expect(page.getByText('1 to 30 of 60', { exact: true })).toBeVisible();
  await actor.fill('ada');
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const text = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  await page.getByLabel('From', { exact: true }).fill(text);
  await page.getByLabel('To', { exact: true }).fill(text);
  await expect(page).toHaveURL(new RegExp(`actor=ada&since=${text}&until=${text}`));
  await expect(page.locator('tr.day')).toHaveText([/^Yesterday/]);

  // The export has the entries of the API, none of which are from ada.
  await product.createCluster('exported');
  expect(await exported(page, 'CSV')).toEqual({ name: expect.stringMatching(/\.csv$/), lines: 1 });
  await page.goto('/journal?cluster=exported');
  expect(await exported(page, 'CSV')).toEqual({ name: expect.stringMatching(/\.csv$/), lines: 2 });
  const ndjson = await exported(page, 'NDJSON');
  expect(ndjson).toEqual({ name: expect.stringMatching(/^slipway-journal-.*\.ndjson$/), lines: 1 });
});

/** Exports in a format. @returns name and number of lines of the file */
async function exported(page: Page, format: string): Promise<{ name: string; lines: number }> {
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: `Export as ${format}` }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  return { name: file.suggestedFilename(), lines: text.trim().split('\n').length };
}

test('shows messages without blank columns at each width, and opens a group to its entries', async ({
  page,
}) => {
  const [first, ...others] = entriesOf(3) as [Entry, ...Entry[]];
  const group = { ...first, kind: 'resource-delete', subject: 'configmaps/shop/cm-1', outcome: 'succeeded' };
  await giveJournal(page, () => [{ ...group, group_size: 30, group_failed: 2 }, ...others]);
  await page.route('**/api/v1/journal/recent?*group=*', (route) => {
    const members = Array.from({ length: 30 }, (_, index) => ({
      ...group,
      id: 100 + index,
      message: `Deleted config map shop/cm-${30 - index}.`,
    }));
    return route.fulfill({
      json: { entries: members, total: 30, page: 1, total_pages: 1, limit: 200, offset: 0 },
    });
  });
  await page.goto('/journal');
  await page.getByRole('button', { name: 'Deleted 28 configmaps, 2 failed' }).click();
  const members = page.getByRole('list', { name: 'Entries of this action' }).getByRole('listitem');
  await expect(members).toHaveCount(30);
  await expect(members.first()).toContainText('shop/cm-1.');
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1180, 'dark'],
    [1024, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const message = await page.locator('.entry .message').last().boundingBox();
    expect(message?.width).toBeGreaterThan(width === 390 ? 250 : width * 0.38);
    // The columns fill the table: nothing is blank on its right.
    const cells = `Array.from(document.querySelectorAll('.entry:last-child > td')).filter((cell) => cell.offsetWidth > 0)`;
    const right = `Math.max(...${cells}.map((cell) => cell.getBoundingClientRect().right))`;
    const blank = await page.evaluate(
      `document.querySelector('.table').getBoundingClientRect().right - ${right}`,
    );
    expect(blank).toBeLessThanOrEqual(16);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
});

test('opens an entry to the diff of its change', async ({ page, product }) => {
  await product.createCluster('edited');
  const yaml = (color: string): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\ndata: {color: ${color}}\n`;
  for (const color of ['red', 'blue']) {
    await product.call('POST', '/clusters/edited/resources/apply', { yaml: yaml(color) });
  }
  await page.goto('/journal?cluster=edited&kind=resource-apply');
  await page.getByRole('button', { name: 'Applied config map default/settings: configured.' }).click();
  const diff = page.getByRole('textbox', { name: 'Changes' });
  await expect(diff).toContainText('color: red');
  await expect(diff).toContainText('color: blue');
  await expectAccessible(page);
});

test('shows why the journal could not be loaded and tries again', async ({ page, guard }) => {
  guard.expect(/Failed to load resource/);
  await page.route('**/api/v1/journal/recent?*', (route) => route.abort());
  await page.goto('/journal');
  await expect(page.getByRole('heading', { name: 'Could not load the journal' })).toBeVisible();
  // With the keyboard, because the page may retry and remove the button at the same time.
  await page.getByRole('button', { name: 'Try again' }).focus();
  await page.unroute('**/api/v1/journal/recent?*');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Could not load the journal' })).toHaveCount(0);
});
