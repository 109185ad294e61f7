import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { identityOf, newLine, START } from '../../../../test/support/logs/lines.js';
import { openStore } from '../../../../test/support/logs/store.js';
import { MAX_LINE_LENGTH, type LogStore } from '../../drivers/log-store/index.js';
import { LineBus } from './line-bus.js';
import type { SourceRegistry } from './source-registry.js';
import { StoreSink } from './store-sink.js';
import { Resumption } from './reading/resumption.js';

const LINES = 100;
const PAGE_BYTES = 500_000;
/** They differ only in their last character. */
const lines = Array.from({ length: LINES }, (_, index) =>
  newLine(String.fromCharCode(256 + index).padStart(MAX_LINE_LENGTH, '.'), START + index),
);

describe('StoreSink', () => {
  let folder: string;
  let store: LogStore;
  let sink: StoreSink;
  let source: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sink-'));
    store = await openStore(folder);
    const registry: Pick<SourceRegistry, 'count'> = { count: () => undefined };
    const limits = { pageBytes: PAGE_BYTES };
    sink = new StoreSink(store, new LineBus(), registry as SourceRegistry, 14, limits);
    source = store.source(identityOf('long'));
    sink.append(source, lines);
    sink.append(source, [newLine('short', START + LINES)]);
  });

  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads stored lines in pages of limited bytes and keeps hashes of long texts', async () => {
    const lineReads = jest.spyOn(store, 'lines');
    const known = await sink.between(source, START);
    const read = await Promise.all(
      lineReads.mock.results.map(({ value }) => value as ReturnType<typeof store.lines>),
    );
    lineReads.mockRestore();
    expect(known.map(({ time }) => time)).toEqual([...lines.map(({ time }) => time), START + LINES]);
    expect(read.length).toBeGreaterThan(10);
    for (const page of read) {
      const bytes = page.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      // The last line may start below the limit.
      expect(bytes).toBeLessThan(PAGE_BYTES + 2 * MAX_LINE_LENGTH);
    }
    expect(known.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(LINES * 100);
    expect(known.at(-1)?.text).toBe('short');
  });

  it('returns lines that Resumption recognizes', async () => {
    const known = await sink.between(source, START + 10, START + 19);
    expect(known).toHaveLength(10);
    const again = new Resumption(known, 1).fresh(lines.slice(0, 30));
    expect(again.map(({ time }) => time - START)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => index),
      ...Array.from({ length: 10 }, (_, index) => 20 + index),
    ]);
    const other = { ...newLine('!'.padStart(MAX_LINE_LENGTH, '.'), START + 10) };
    expect(new Resumption(known, 1).fresh([other])).toEqual([other]);
  });
});
