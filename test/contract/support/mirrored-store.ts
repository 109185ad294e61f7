import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type {
  Histogram,
  LogPage,
  LogQuery,
  LogSearch,
  LogStore,
  LogStoreCapabilities,
  NewLogLine,
  PageRequest,
  RetentionLimits,
  SearchCursor,
  SourceIdentity,
} from '../../../backend/src/drivers/log-store/index.js';
import { findIn, identityOf, NO_LIMITS, searchOf, type SearchResult } from '../../support/logs/log-store.js';
import { MemoryLogStore } from '../../support/logs/memory-log-store.js';

/** A log store to test. */
export interface LogStoreUnderTest {
  /** Expected capabilities. */
  capabilities: LogStoreCapabilities;
  /** Opens a folder, which is empty at first. */
  open: (folder: string, limits: RetentionLimits) => Promise<LogStore>;
}

/** A page without limits. */
const ALL = { before: 0, after: 1_000_000 };

/** Runs all operations on a store under test and on the reference model, and compares the results. */
export class MirroredStore {
  readonly model = MemoryLogStore.open(NO_LIMITS);
  /** Ids in the order of registration. */
  readonly ids: number[] = [];
  private readonly latest = new Map<number, number>();
  private readonly effective = new Map<string, number>();

  private constructor(
    private readonly subject: LogStoreUnderTest,
    readonly folder: string,
    public store: LogStore,
  ) {}

  static async open(subject: LogStoreUnderTest, limits = NO_LIMITS): Promise<MirroredStore> {
    const folder = mkdtempSync(join(tmpdir(), 'log-store-'));
    return new MirroredStore(subject, folder, await subject.open(folder, limits));
  }

  async reopen(limits = NO_LIMITS): Promise<void> {
    await this.store.close();
    this.store = await this.subject.open(this.folder, limits);
  }

  async remove(): Promise<void> {
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  source(identity: string | SourceIdentity): number {
    const complete = typeof identity === 'string' ? identityOf(identity) : identity;
    const id = this.store.source(complete);
    expect(this.model.source(complete, id)).toBe(id);
    if (!this.ids.includes(id)) this.ids.push(id);
    return id;
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    const first = this.store.append(id, lines);
    expect(first).toBe(this.model.append(id, lines));
    lines.forEach(({ time }, index) => {
      const latest = Math.max(this.latest.get(id) ?? 0, time);
      this.latest.set(id, latest);
      this.effective.set(`${id}/${first + index}`, latest);
    });
    return first;
  }

  async delete(id: number): Promise<void> {
    expect(await this.store.delete(id)).toEqual(await this.model.delete(id));
  }

  expectSources(): void {
    const byId = ({ sources }: Pick<LogStore, 'sources'>, store: LogStore): unknown =>
      sources.call(store).toSorted((one, other) => one.id - other.id);
    expect(byId(this.store, this.store)).toEqual(byId(this.model, this.model));
    for (const id of this.ids) expect(this.store.extent(id)).toEqual(this.model.extent(id));
  }

  async expectLines(id: number, from: number, limit: number, maxBytes?: number): Promise<void> {
    const lines = await this.store.lines(id, from, limit, maxBytes);
    expectEqual({ id, from, limit }, lines, await this.model.lines(id, from, limit, maxBytes));
  }

  async expectPage(ids: readonly number[], position: number, request: PageRequest = ALL): Promise<LogPage> {
    const page = await this.store.page(ids, position, request);
    const expected = await this.model.page(ids, position, request);
    const about = { ids: ids.slice(0, 5), position, request };
    expectEqual(about, page.lines, expected.lines);
    expect({ ...about, ...page, lines: [] }).toEqual({ ...about, ...expected, lines: [] });
    return page;
  }

  async expectPositionOf(ids: readonly number[], id: number, seq: number): Promise<void> {
    const position = await this.store.positionOf(ids, id, seq);
    expect({ id, seq, position }).toEqual({ id, seq, position: await this.model.positionOf(ids, id, seq) });
  }

  async expectTime(ids: readonly number[], time: number): Promise<void> {
    expect(await this.store.positionAt(ids, time)).toBe(await this.model.positionAt(ids, time));
    for (const id of ids) expect(await this.store.seqAt(id, time)).toBe(await this.model.seqAt(id, time));
  }

  /** Searches both, and compares the results. */
  async search(search: Partial<LogSearch>): Promise<SearchResult> {
    const found = await findIn(this.store, search);
    const expected = await findIn(this.model, search);
    expectEqual({ search }, found.matches, expected.matches);
    const { end } = found;
    if (!end || !expected.end) throw new Error('The search has no end event.');
    expect(found.events.at(-1)).toBe(end);
    const { matched, reason, searched } = end;
    // With as many matches as the limit, there may or may not be more.
    const mayHaveMore = expected.end.reason === 'limit' || matched === search.limit;
    const isRight = reason === 'limit' ? mayHaveMore : reason === expected.end.reason;
    const isPossible = searched >= matched && searched <= this.effective.size;
    expect({ search, end, isRight, isPossible }).toEqual({
      search,
      end: expect.objectContaining({ matched: expected.end.matched }) as unknown,
      isRight: true,
      isPossible: true,
    });
    if (end.reason === 'complete') expect(end.time).toBeNull();
    this.expectProgress(found, searchOf(search).order);
    return found;
  }

  /** Searches page by page, and compares the pages with the model. */
  async searchInParts(search: Partial<LogSearch>): Promise<SearchResult['matches']> {
    const found: SearchResult['matches'] = [];
    for (let cursor: SearchCursor | null = null; ;) {
      const { matches, end } = await this.search({ ...search, cursor });
      found.push(...matches);
      const last = matches.at(-1);
      if (end?.reason !== 'limit' || !last) return found;
      cursor = { time: last.line.time, source: last.source, seq: last.line.seq };
    }
  }

  async histogram(query: Partial<LogQuery>, buckets: number): Promise<Histogram> {
    const complete = searchOf(query);
    const found = await this.store.histogram(complete, buckets, new AbortController().signal);
    expect({ query, found }).toEqual({ query, found: await this.model.histogram(complete, buckets) });
    return found;
  }

  /** Compares everything that can be read. */
  async expectSame(): Promise<void> {
    const { ids } = this;
    this.expectSources();
    for (const id of ids) {
      if (!this.store.extent(id)) continue;
      await this.expectLines(id, 1, 1_000_000);
    }
    await this.expectPage(ids, 1);
    await this.search({});
    await this.search({ order: 'oldest' });
    await this.histogram({}, 10);
  }

  /** Runs a check with lines that were just appended, then with flushed lines, then after reopening. */
  async inEachState(check: () => Promise<void>): Promise<void> {
    await check();
    await this.store.flush();
    await check();
    await this.reopen();
    for (const { identity } of this.store.sources()) this.source(identity);
    await check();
  }

  private expectProgress({ events }: SearchResult, order: 'newest' | 'oldest'): void {
    let bound = order === 'newest' ? Infinity : -Infinity;
    for (const event of events) {
      if (event.type === 'match') {
        const time = this.effective.get(`${event.source}/${event.line.seq}`) ?? NaN;
        expect(order === 'newest' ? time <= bound : time >= bound).toBe(true);
      } else if (event.type === 'progress') bound = event.time;
    }
  }
}

/** Compares lists of lines. Of long lists, only the first difference is printed. */
function expectEqual(about: object, found: readonly unknown[], expected: readonly unknown[]): void {
  const index = found.findIndex((line, at) => !isDeepStrictEqual(line, expected[at]));
  const at = index < 0 ? Math.min(found.length, expected.length) : index;
  expect({ about, at, line: found[at] }).toEqual({ about, at, line: expected[at] });
  expect({ about, length: found.length }).toEqual({ about, length: expected.length });
}
