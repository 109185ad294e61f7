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
  subject: null;
  outcome: string;
  message: string;
  job_id: number | null;
  duration_ms: number | null;
  actor: Actor;
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
