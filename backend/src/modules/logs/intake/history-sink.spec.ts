import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { identityOf, newLine, NO_LIMITS, START } from '../../../../../test/support/logs/history.js';
import { LogHistory } from '../history/index.js';
import { MAX_LINE } from '../lines/line.js';
import { LineFeed } from '../live/line-feed.js';
import type { SourceRegistry } from '../sources/source-registry.js';
import { HistorySink } from './history-sink.js';
import { Resumption } from './resumption.js';

const LINES = 100;
const PAGE_BYTES = 500_000;
/** They differ in their last character alone. */
const lines = Array.from({ length: LINES }, (_, index) =>
  newLine(String.fromCharCode(256 + index).padStart(MAX_LINE, '.'), START + index),
);

describe('what is kept of a log that is read again', () => {
  let folder: string;
  let history: LogHistory;
  let sink: HistorySink;
  let source: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sink-'));
    history = await LogHistory.open(folder, NO_LIMITS);
    const registry: Pick<SourceRegistry, 'count'> = { count: () => undefined };
    const bounds = { pageBytes: PAGE_BYTES, exportBytes: 0, exportLines: 0 };
    sink = new HistorySink(history, new LineFeed(), registry as SourceRegistry, 14, bounds);
    source = history.source(identityOf('long'));
    sink.append(source, lines);
    sink.append(source, [newLine('short', START + LINES)]);
  });

  afterAll(async () => {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is read in pieces that are bounded in bytes, and held by less than its texts', async () => {
    const page = jest.spyOn(history, 'page');
    const known = await sink.since(source, START);
    const read = await Promise.all(
      page.mock.results.map(({ value }) => value as ReturnType<typeof history.page>),
    );
    page.mockRestore();
    expect(known.map(({ time }) => time)).toEqual([...lines.map(({ time }) => time), START + LINES]);
    expect(read.length).toBeGreaterThan(10);
    for (const told of read) {
      const bytes = told.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      // The last of them may begin below it.
      expect(bytes).toBeLessThan(PAGE_BYTES + 2 * MAX_LINE);
    }
    expect(known.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(LINES * 100);
    expect(known.at(-1)?.text).toBe('short');
  });

  it('is known again, line by line', async () => {
    const known = await sink.between(source, START + 10, START + 19);
    expect(known).toHaveLength(10);
    const again = new Resumption(known, 1).fresh(lines.slice(0, 30));
    expect(again.map(({ time }) => time - START)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => index),
      ...Array.from({ length: 10 }, (_, index) => 20 + index),
    ]);
    const other = { ...newLine('!'.padStart(MAX_LINE, '.'), START + 10) };
    expect(new Resumption(known, 1).fresh([other])).toEqual([other]);
  });
});
