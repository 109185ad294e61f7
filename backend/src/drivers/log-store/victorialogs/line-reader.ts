import { setImmediate as othersTurn } from 'node:timers/promises';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { DatabaseFailure, type HttpClient, type QueryOptions } from './http-client.js';
import { compare, entryOf, LINE_FIELDS, placeOf, type Entry, type Row } from './line-format.js';
import type { LineQuery } from './line-query.js';
import { allOf, anyOf, between, compares, equals, isoTime, not, streamsOf } from './logsql.js';
import type { Source } from './sources.js';
import type { EntryRange, Spool, SpoolView } from './spool.js';

export const QUERY_TIMEOUT_MS = 10_000;
/** Most rows that one query returns: the database holds their texts in memory to sort them. */
const MAX_ROWS = 2000;
const MIN_ROWS = 100;
/** The first time window that is searched. It grows while few lines are found quickly. */
const FIRST_WINDOW = 1_000_000;
const GROWTH = 4;
const SLOW_MS = 500;
/** Lines that are taken from the spool before it is another task's turn. */
const SPOOL_LINES = 500;

/** Sources as they were when a reader began, and the lines that it takes from the spool. */
export interface Snapshot {
  sources: readonly Source[];
  view: SpoolView;
}

export interface Scan extends EntryRange {
  query: LineQuery;
  /** Number of lines that the reader probably takes. */
  limit: number;
  signal?: AbortSignal | undefined;
  /** When the scan fails with a timeout, in milliseconds of `performance.now()`. */
  deadline: number;
}

/** A line, or the time up to which every line was found. */
export type ScanEvent = { type: 'entry'; entry: Entry } | { type: 'reached'; time: number };

/** Reads lines in order: older ones from the database, the newest from the spool. Drops second copies. */
export class LineReader {
  constructor(
    private readonly client: HttpClient,
    private readonly spool: Spool,
    private readonly store: string,
    private readonly onQuery: (failure: DatabaseFailure | null) => void,
  ) {}

  /** Sources as they are now. The reader releases the view when it ends. */
  snapshot(sources: readonly Source[]): Snapshot {
    const view = this.spool.view(new Set(sources.map(({ id }) => id)));
    return { sources: sources.map((source) => ({ ...source })), view };
  }

  async with<TResult>(
    sources: readonly Source[],
    work: (snapshot: Snapshot) => Promise<TResult>,
  ): Promise<TResult> {
    const snapshot = this.snapshot(sources);
    try {
      return await work(snapshot);
    } finally {
      snapshot.view.release();
    }
  }

  /** Lines that match, in the order of a merge. */
  async *scan(snapshot: Snapshot, scan: Scan): AsyncGenerator<ScanEvent, void, undefined> {
    const { order, query, deadline, signal } = scan;
    const { from, to } = boundsOf(snapshot, scan);
    if (from >= to) return;
    const sign = order === 'oldest' ? 1 : -1;
    const isWanted = wantedOf(snapshot);
    const local = this.localLines(snapshot.view, { ...scan, from, to }, isWanted);
    let waiting = await local.next();
    let after = scan.after;
    let edge = order === 'oldest' ? from : to;
    const last = order === 'oldest' ? to : from;
    const older = inDatabase(snapshot);
    const limit = Math.min(Math.max(scan.limit + 1, MIN_ROWS), MAX_ROWS);
    for (let width = FIRST_WINDOW; edge !== last && older.length > 0;) {
      const next = order === 'oldest' ? Math.min(edge + width, last) : Math.max(edge - width, last);
      const began = performance.now();
      const window = { order, from: Math.min(edge, next), to: Math.max(edge, next), after };
      const conditions = allOf([this.olderLines(snapshot, older), rangeFilter(window), query.filter]);
      const direction = order === 'oldest' ? '' : ' desc';
      const sort = `sort by (_time${direction}, source${direction}, seq${direction}) limit ${limit}`;
      const timeoutMs = Math.min(deadline - began, QUERY_TIMEOUT_MS);
      let count = 0;
      for await (const entry of this.entries(
        `${conditions}${query.pipes} | ${sort} | fields ${LINE_FIELDS}`,
        {
          signal,
          timeoutMs,
        },
      )) {
        count += 1;
        const place = placeOf(entry);
        const isCopy = after !== null && compare(place, after) === 0;
        after = place;
        if (isCopy || !isWanted(entry) || !query.isExact(entry)) continue;
        for (
          ;
          !waiting.done && sign * compare(placeOf(waiting.value), place) < 0;
          waiting = await local.next()
        ) {
          yield { type: 'entry', entry: waiting.value };
        }
        yield { type: 'entry', entry };
      }
      if (count >= limit && after) {
        edge = order === 'oldest' ? after.effective : after.effective + 1;
        width = Math.max(1, Math.floor(width / GROWTH));
      } else {
        edge = next;
        if (performance.now() - began < SLOW_MS) width *= count === 0 ? GROWTH * GROWTH : GROWTH;
      }
      const reached = order === 'oldest' ? edge - 1 : edge;
      for (; !waiting.done && isReached(waiting.value, edge, order); waiting = await local.next()) {
        yield { type: 'entry', entry: waiting.value };
      }
      yield { type: 'reached', time: reached };
    }
    for (; !waiting.done; waiting = await local.next()) yield { type: 'entry', entry: waiting.value };
  }

  /** Lines of one source with numbers from one up to, but not including, another. */
  async *bySeq(
    { sources, view }: Snapshot,
    from: number,
    to: number,
    order: EntryRange['order'],
    limit: number,
  ): AsyncGenerator<Entry, void, undefined> {
    const [source] = sources;
    if (!source) return;
    const first = Math.max(from, source.firstSeq);
    const end = Math.min(to, source.nextSeq);
    const split = Math.min(Math.max(view.firstSeq(source.id), first), end);
    if (order === 'newest') yield* view.bySeq(source.id, split, end, order);
    let step = Math.min(Math.max(limit, MIN_ROWS), MAX_ROWS);
    let edge = order === 'oldest' ? first : split;
    let previous = 0;
    while (order === 'oldest' ? edge < split : edge > first) {
      const next = order === 'oldest' ? Math.min(edge + step, split) : Math.max(edge - step, first);
      const range = [compares('seq', '>=', Math.min(edge, next)), compares('seq', '<', Math.max(edge, next))];
      const conditions = allOf([streamsOf(this.store, [source.id]), ...range]);
      const sort = `sort by (seq${order === 'oldest' ? '' : ' desc'})`;
      let count = 0;
      for await (const entry of this.entries(`${conditions} | ${sort} | fields ${LINE_FIELDS}`)) {
        if (entry.line.seq !== previous) yield entry;
        previous = entry.line.seq;
        count += 1;
      }
      edge = next;
      // Lines that were discarded leave gaps, which may be long.
      step = Math.min(count === 0 ? step * GROWTH : step, count === 0 ? Infinity : MAX_ROWS);
    }
    if (order === 'oldest') yield* view.bySeq(source.id, split, end, order);
  }

  /** A line; undefined if it is not stored. */
  async find({ sources, view }: Snapshot, id: number, seq: number): Promise<Entry | undefined> {
    const source = sources.find((one) => one.id === id);
    if (!source || !Number.isSafeInteger(seq) || seq < source.firstSeq || seq >= source.nextSeq) {
      return undefined;
    }
    const recent = view.find(id, seq);
    if (recent) return recent;
    const query = allOf([streamsOf(this.store, [id]), equals('seq', String(seq))]);
    for await (const entry of this.entries(`${query} | limit 1 | fields ${LINE_FIELDS}`)) return entry;
    return undefined;
  }

  /** Lines of the snapshot that are read from the database. */
  olderLines({ view }: Snapshot, sources: readonly Source[]): string {
    const ids = sources.map(({ id }) => id);
    const isFinite = Number.isFinite(view.firstTime);
    // The time comes first: it decides about most lines without their block.
    const notInSpool = isFinite
      ? anyOf([between(null, view.firstTime), compares('block', '<', view.firstBlock)])
      : '';
    const hidden = sources
      .filter(({ hiddenBelow }) => hiddenBelow > 1)
      .map(({ id, hiddenBelow }) =>
        not(allOf([equals('source', String(id)), compares('seq', '<', hiddenBelow)])),
      );
    return allOf([streamsOf(this.store, ids), notInSpool, ...hidden]);
  }

  async rows(query: string, options: QueryOptions = { timeoutMs: QUERY_TIMEOUT_MS }): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const portion of this.portions(query, options)) rows.push(...portion);
    return rows;
  }

  async *entries(
    query: string,
    options: QueryOptions = { timeoutMs: QUERY_TIMEOUT_MS },
  ): AsyncGenerator<Entry, void, undefined> {
    for await (const rows of this.portions(query, options)) {
      for (const row of rows) yield readEntry(row);
    }
  }

  private async *portions(query: string, options: QueryOptions): AsyncGenerator<Row[], void, undefined> {
    if (options.timeoutMs < 1) throw new DatabaseFailure('timeout', 'the deadline has passed');
    try {
      yield* this.client.query(query, { ...options, timeoutMs: Math.ceil(options.timeoutMs) });
      this.onQuery(null);
    } catch (error) {
      if (error instanceof DatabaseFailure) this.onQuery(error);
      throw error;
    }
  }

  /** Matching lines of the spool in order. */
  async *localLines(
    view: SpoolView,
    scan: Pick<Scan, keyof EntryRange | 'query' | 'limit'>,
    isWanted: (entry: Entry) => boolean,
  ): AsyncGenerator<Entry, void, undefined> {
    const size = Math.min(Math.max(scan.limit, MIN_ROWS), SPOOL_LINES);
    let batch: Entry[] = [];
    let since = performance.now();
    for (const entry of view.ordered(scan)) {
      if (isWanted(entry)) batch.push(entry);
      if (batch.length < size) continue;
      yield* scan.query.matching(batch);
      batch = [];
      if (performance.now() - since > 20) {
        await othersTurn();
        since = performance.now();
      }
    }
    yield* scan.query.matching(batch);
  }
}

/** Whether a line belongs to the snapshot: it was neither deleted before nor appended since. */
export function wantedOf({ sources }: Snapshot): (entry: Entry) => boolean {
  const known = new Map(sources.map((source) => [source.id, source]));
  return ({ source, line }) => {
    const one = known.get(source);
    return one !== undefined && line.seq >= one.firstSeq && line.seq < one.nextSeq;
  };
}

/** Sources of which the database has lines that are not read from the spool. */
export function inDatabase({ sources, view }: Snapshot): Source[] {
  return sources.filter(({ id, firstSeq, nextSeq }) => firstSeq < Math.min(view.firstSeq(id), nextSeq));
}

/** Times between which the lines of a snapshot are, within those of a range. */
export function boundsOf({ sources }: Snapshot, range: EntryRange): { from: number; to: number } {
  let first = Infinity;
  let end = 0;
  for (const { firstTime, lastTime, firstSeq, nextSeq } of sources) {
    if (firstSeq === nextSeq) continue;
    first = Math.min(first, firstTime ?? 0);
    end = Math.max(end, lastTime + 1);
  }
  const { order, after } = range;
  const from = Math.max(first, range.from, after && order === 'oldest' ? after.effective : 0);
  const to = Math.min(end, range.to, after && order === 'newest' ? after.effective + 1 : Infinity);
  return { from, to };
}

/** Lines of a time window behind a place. */
function rangeFilter({ order, from, to, after }: EntryRange): string {
  const window = between(from, to);
  if (!after || after.effective < from || after.effective >= to) return window;
  const { effective, source, seq } = after;
  const operator = order === 'oldest' ? '>' : '<';
  const time = isoTime(effective);
  const sameSource = allOf([equals('source', String(source)), compares('seq', operator, seq)]);
  const sameTime = `_time:[${time},${time}] ${anyOf([compares('source', operator, source), sameSource])}`;
  return allOf([window, anyOf([`_time:${operator}${time}`, sameTime])]);
}

function isReached({ effective }: Entry, edge: number, order: EntryRange['order']): boolean {
  return order === 'oldest' ? effective < edge : effective >= edge;
}

function readEntry(row: Row): Entry {
  try {
    return entryOf(row);
  } catch (error) {
    throw new DatabaseFailure('unavailable', reasonOf(error), { cause: error });
  }
}
