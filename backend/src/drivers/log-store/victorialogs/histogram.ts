import { LEVELS, type Level } from '../log-line.js';
import type { Histogram, HistogramBucket, LogQuery } from '../log-query.js';
import { DatabaseFailure } from './http-client.js';
import { integerOf, LINE_FIELDS, timeOf } from './line-format.js';
import {
  boundsOf,
  inDatabase,
  QUERY_TIMEOUT_MS,
  wantedOf,
  type LineReader,
  type Snapshot,
} from './line-reader.js';
import type { LineQuery } from './line-query.js';
import { allOf, between } from './logsql.js';

/** Counts matching lines of a snapshot: those of the database by a query there, those of the spool here. */
export async function countLines(
  reader: LineReader,
  snapshot: Snapshot,
  query: LineQuery,
  { from: queryFrom, to: queryTo }: Pick<LogQuery, 'from' | 'to'>,
  count: number,
  signal: AbortSignal,
): Promise<Histogram> {
  const all = { order: 'oldest', from: -Infinity, to: Infinity, after: null } as const;
  const stored = boundsOf(snapshot, all);
  // Never later than the end, which may be before the first line.
  const from =
    queryFrom ?? Math.min(Number.isFinite(stored.from) ? stored.from : 0, (queryTo ?? Infinity) - 1);
  const to = Math.max(queryTo ?? stored.to, from + 1);
  const width = Math.ceil((to - from) / count);
  const buckets = Array.from({ length: count }, (_, index): HistogramBucket => {
    return { time: from + index * width, total: 0, levels: {} };
  });
  const add = (time: number, level: Level | 'none', lines: number): void => {
    const bucket = buckets[Math.floor((time - from) / width)];
    if (!bucket) return;
    bucket.total += lines;
    bucket.levels[level] = (bucket.levels[level] ?? 0) + lines;
  };
  let reason: Histogram['reason'] = 'complete';
  const isWanted = wantedOf(snapshot);
  const range = { ...all, ...boundsOf(snapshot, { ...all, from, to }) };
  try {
    const local = reader.localLines(snapshot.view, { ...range, query, limit: Infinity }, isWanted);
    for await (const { effective, line } of local) add(effective, line.level ?? 'none', 1);
    const older = inDatabase(snapshot);
    if (older.length > 0 && range.from < range.to) {
      const options = { signal, timeoutMs: QUERY_TIMEOUT_MS };
      const conditions = allOf([
        reader.olderLines(snapshot, older),
        between(range.from, range.to),
        query.filter,
      ]);
      const lines = `${conditions}${query.pipes}`;
      if (query.needsCheck) {
        for await (const entry of reader.entries(`${lines} | fields ${LINE_FIELDS}`, options)) {
          if (query.isExact(entry)) add(entry.effective, entry.line.level ?? 'none', 1);
        }
      } else {
        const buckets = `_time:${nanoseconds(width)} offset ${nanoseconds(from % width)}`;
        const stats = `stats by (${buckets}, level) count() as lines`;
        for (const row of await reader.rows(`${lines} | ${stats}`, options)) {
          const level = LEVELS.find((one) => one === row['level']) ?? 'none';
          add(Math.max(timeOf(row['_time']), from), level, integerOf(row, 'lines'));
        }
      }
    }
    if (query.isOverdue) reason = 'timeout';
  } catch (error) {
    const isTimeout = error instanceof DatabaseFailure && error.kind === 'timeout';
    if (!isTimeout && !signal.aborted) throw error;
    reason = 'timeout';
  }
  return { from, to, width, buckets, reason };
}

/** Microseconds as a duration of LogsQL; the product may be too large for a number. */
function nanoseconds(microseconds: number): string {
  return microseconds === 0 ? '0ns' : `${microseconds}000ns`;
}
