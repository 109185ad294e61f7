import type { LogSearch, SearchEnd, SearchEvent } from '../log-query.js';
import { DatabaseFailure } from './http-client.js';
import type { Place } from './line-format.js';
import { QUERY_TIMEOUT_MS, type LineReader, type Scan, type Snapshot } from './line-reader.js';
import type { LineQuery } from './line-query.js';
import { Limits, Merge } from './merge.js';

const PROGRESS_MS = 100;

/** Runs a search on a snapshot, behind a place. Ends without an `end` event if the signal aborts it. */
export async function* runSearch(
  reader: LineReader,
  snapshot: Snapshot,
  query: LineQuery,
  search: LogSearch,
  after: Place | null,
  signal: AbortSignal,
): AsyncGenerator<SearchEvent, void, undefined> {
  const { order, limit, bytes = Infinity, characters = Infinity } = search;
  // An export has no limit, and its deadline is that of each query.
  const deadline = limit === Infinity ? Infinity : performance.now() + QUERY_TIMEOUT_MS;
  const from = search.from ?? -Infinity;
  const to = search.to ?? Infinity;
  const scan: Scan = { order, after, from, to, query, limit, signal, deadline };
  const progress = new Progress(reader, snapshot, scan);
  const limits = new Limits(limit, bytes, characters);
  let reason: SearchEnd = 'complete';
  let reached: number | null = null;
  let reported = performance.now();
  try {
    for await (const event of reader.scan(snapshot, scan)) {
      if (signal.aborted) return;
      if (event.type === 'reached') {
        reached = event.time;
        if (performance.now() - reported < PROGRESS_MS) continue;
        reported = performance.now();
        yield { type: 'progress', searched: await progress.linesTo(reached), time: reached };
        continue;
      }
      const taken = limits.take(event.entry);
      // The line behind the last one of the limits tells that there are more.
      if (!taken) {
        reason = 'limit';
        break;
      }
      yield { type: 'match', ...taken };
    }
    if (query.isOverdue) reason = 'timeout';
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof DatabaseFailure) || error.kind !== 'timeout') throw error;
    reason = 'timeout';
  }
  if (signal.aborted) return;
  const isComplete = reason === 'complete';
  const searched = isComplete
    ? await progress.total()
    : reached === null
      ? limits.count
      : await progress.linesTo(reached).catch(() => limits.count);
  // The position of a deleted line, where a search may resume, is not exact.
  const atLeast = Math.max(searched, limits.count);
  yield { type: 'end', searched: atLeast, matched: limits.count, reason, time: isComplete ? null : reached };
}

/** Counts the lines of a scan, whether they match or not. */
class Progress {
  private readonly merge: Merge;

  constructor(
    reader: LineReader,
    private readonly snapshot: Snapshot,
    private readonly scan: Scan,
  ) {
    // Counting may follow a search that took all of its time.
    this.merge = new Merge(reader, snapshot, performance.now() + 2 * QUERY_TIMEOUT_MS);
  }

  async total(): Promise<number> {
    const [begin, end] = await Promise.all([this.begin(), this.end()]);
    return Math.max(0, end - begin);
  }

  /** Lines from the beginning of the scan up to a time; from it on if the newest come first. */
  async linesTo(time: number): Promise<number> {
    if (this.scan.order === 'oldest') {
      const [begin, reached] = await Promise.all([this.begin(), this.merge.positionAt(time + 1)]);
      return Math.max(0, reached - begin);
    }
    const [reached, end] = await Promise.all([this.merge.positionAt(time), this.end()]);
    return Math.max(0, end - reached);
  }

  private async begin(): Promise<number> {
    const { order, from, after } = this.scan;
    const position = await this.merge.positionAt(from);
    if (!after || order === 'newest') return position;
    const isOwn = this.snapshot.sources.some(({ id }) => id === after.source);
    return Math.max(position, (await this.merge.positionOf(after)) + (isOwn ? 1 : 0));
  }

  private async end(): Promise<number> {
    const { order, to, after } = this.scan;
    const position = await this.merge.positionAt(to);
    return after && order === 'newest' ? Math.min(position, await this.merge.positionOf(after)) : position;
  }
}
