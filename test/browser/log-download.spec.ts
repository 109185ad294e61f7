import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { LineDto } from '../../backend/src/modules/log-lines/line.dto.js';
import type { SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { signIn } from '../support/app/signed-in.js';
import { expect, open, test } from './support/board-fixtures.js';
import type { Product } from './support/product.js';

/** Calls the log board without the browser. */
async function reader(board: Product): Promise<<T>(path: string) => Promise<T>> {
  const { bearer } = await signIn({ client: board.board });
  return async <T>(path: string): Promise<T> => {
    const answer = await board.board.send('GET', path, {
      headers: { ...bearer, accept: 'application/json' },
    });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body as T;
  };
}

/** Selects a download in the menu. @returns the name and the content of the file */
async function download(page: Page, item: string): Promise<{ name: string; content: Buffer }> {
  await page.getByRole('button', { name: /^Options/ }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item, exact: true }).click(),
  ]);
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

test('downloads every matching line, oldest first', async ({ page, board }) => {
  const get = await reader(board);
  let sources: LogSourceDto[] = [];
  await expect(async () => {
    sources = (await get<LogSourceDto[]>('/api/sources'))
      .filter(({ cluster, next_seq }) => cluster === null && next_seq > 4)
      .slice(0, 2);
    expect(sources).toHaveLength(2);
  }).toPass();
  const [source, other] = sources;
  if (!source || !other) throw new Error('there are no two sources');
  const to = new Date(Date.now() - 1000).toISOString();
  const filter = `from=2020-01-01T00:00:00.000Z&to=${to}`;
  const find = async (query: string): Promise<LineDto[]> => {
    const { matches, reason } = await get<SearchResultDto>(`/api/search?limit=10000&${filter}&${query}`);
    expect(reason).toBe('complete');
    return matches.reverse();
  };
  const lines = await find(`sources=${source.id}&q=1`);
  expect(lines.length).toBeGreaterThan(0);
  const text = lines.map((line) => `${line.time} ${line.text}\n`).join('');

  await open(page, `/logs?sources=${source.key}&q=1&${filter}`);
  await expect(page.locator('.ll').first()).toBeVisible();
  const plain = await download(page, 'Download as text');
  expect(plain.name).toMatch(/^slipway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.log$/);
  expect(plain.content.toString()).toBe(text);
  const packed = await download(page, 'Download as text (gzip)');
  expect(packed.name).toMatch(/\.log\.gz$/);
  expect(gunzipSync(packed.content).toString()).toBe(text);
  const json = await download(page, 'Download as NDJSON');
  expect(json.name).toMatch(/\.ndjson$/);
  expect(json.content.toString().trim().split('\n').map(parsed)).toEqual(
    lines.map((line) => expect.objectContaining({ ...(line as object), name: source.name }) as unknown),
  );

  // Without a search and with several sources, each line names its source.
  await page.goto(`/logs?sources=${source.key},${other.key}&${filter}`);
  await expect(page.locator('.ll').first()).toBeVisible();
  const both = await download(page, 'Download as text');
  const names = both.content.toString().trim().split('\n').map(nameIn);
  const counted = await find(`sources=${source.id},${other.id}&level=trace,debug,info,warn,error,fatal,none`);
  expect(names).toHaveLength(counted.length);
  expect(new Set(names)).toEqual(new Set([source.name, other.name]));
});

function parsed(line: string): unknown {
  return JSON.parse(line);
}

/** A line of text without its time. */
function nameIn(line: string): string | undefined {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z (\S+) /.exec(line)?.[1];
}
