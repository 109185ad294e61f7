import { LEVELS } from '../log-line.js';
import type {
  Histogram,
  HistogramBucket,
  LogQuery,
  LogSearch,
  SearchCursor,
  SearchEnd,
  SearchEvent,
} from '../log-query.js';
import { LineMatcher } from './line-matcher.js';
import {
  compareLines,
  LEVEL_COUNT,
  type Match,
  type SearchTask,
  type SearchTaskResult,
} from './search-messages.js';
import { SEARCH_THREADS, SearchTimeout, type SearchPool } from './search-pool.js';
import type { SourceBlocks } from './source-blocks.js';
import type { KnownBlock } from './writer.js';

const PROGRESS_MS = 100;
/** Text of the first task, and of later ones: the first matches come soon, and tasks are not too many. */
const FIRST_TASK_BYTES = 256 * 1024;
const TASK_BYTES = 2 * 1024 * 1024;
/** What a block costs beside its text. */
const BLOCK_COST_BYTES = 4096;

/** Runs tasks of one search in its pool. Only the time in which one of them runs counts for its deadline. */
class TaskRunner {
  private usedMs = 0;
  private running = 0;
  private runningSince = 0;
  private readonly ending = new AbortController();
  private readonly signal: AbortSignal;

  constructor(
    private readonly pool: SearchPool,
    signal: AbortSignal,
  ) {
    this.signal = AbortSignal.any([signal, this.ending.signal]);
  }

  async run(task: SearchTask): Promise<SearchTaskResult> {
    let hasBegun = 0;
    const budget = (): number => {
      if (this.running === 0) this.runningSince = performance.now();
      this.running += hasBegun = 1;
      return this.pool.deadlineMs - this.usedMs - (performance.now() - this.runningSince);
    };
    try {
      return await this.pool.run({ task, budget, signal: this.signal });
    } finally {
      this.running -= hasBegun;
      if (hasBegun > 0 && this.running === 0) this.usedMs += performance.now() - this.runningSince;
    }
  }

  /** Gives the search its whole time again. */
  restart(): void {
    this.usedMs = 0;
    this.runningSince = performance.now();
  }

  end(): void {
    this.ending.abort();
  }
}

/** Splits a search into tasks of consecutive blocks, in its order. */
function tasksOf(blocks: readonly KnownBlock[]): KnownBlock[][] {
  const tasks: KnownBlock[][] = [];
  let size = FIRST_TASK_BYTES;
  let bytes = Infinity;
  for (const block of blocks) {
    const cost = block.textBytes + BLOCK_COST_BYTES;
    if (bytes + cost > size) {
      tasks.push([]);
      bytes = 0;
      if (tasks.length % SEARCH_THREADS === 1) size = Math.min(size * 2, TASK_BYTES);
    }
    tasks.at(-1)?.push(block);
    bytes += cost;
  }
  return tasks;
}

/** Blocks that may hold lines of a time range: those with the newest, or the oldest, first. */
function blocksOf(
  sources: readonly SourceBlocks[],
  from: number | null,
  to: number | null,
  order: LogSearch['order'],
): KnownBlock[] {
  const blocks = sources
    .flatMap((source) => source.snapshot())
    .filter(({ firstTime, lastTime }) => lastTime >= (from ?? -Infinity) && firstTime < (to ?? Infinity));
  if (order === 'newest') return blocks.sort((one, other) => other.lastTime - one.lastTime);
  return blocks.sort((one, other) => one.firstTime - other.firstTime);
}

/**
 * Searches for lines. See `LogStore.search`.
 * @param cursor with the effective time of its line
 */
export async function* searchLines(
  sources: readonly SourceBlocks[],
  search: LogSearch,
  cursor: SearchCursor | null,
  pool: SearchPool,
  signal: AbortSignal,
): AsyncGenerator<SearchEvent, void, undefined> {
  const { order, limit, bytes: maxBytes = Infinity, characters: maxLength = Infinity } = search;
  const isNewest = order === 'newest';
  const sign = isNewest ? -1 : 1;
  const from = !isNewest && cursor ? Math.max(cursor.time, search.from ?? 0) : search.from;
  const to = isNewest && cursor ? Math.min(cursor.time + 1, search.to ?? Infinity) : search.to;
  const query = { ...search, sources: null, from, to };
  const tasks = tasksOf(blocksOf(sources, from, to, order));
  const runner = new TaskRunner(pool, signal);
  const running = new Map<number, Promise<{ number: number; result: SearchTaskResult }>>();
  /** Found behind a task that is still running, in the opposite order, so that the next one is the last. */
  let waiting: Match[] = [];
  let searched = 0;
  let matched = 0;
  let textBytes = 0;
  let next = 0;
  let reportedAt = performance.now();
  let reason: SearchEnd = 'complete';
  /** Every match before this time, in the order of the search, is found. */
  const bound = (): number => {
    const first = tasks[Math.min(next, ...running.keys())]?.[0];
    if (!first) return isNewest ? -Infinity : Infinity;
    return isNewest ? first.lastTime : first.firstTime;
  };
  try {
    while ((running.size > 0 || next < tasks.length) && reason === 'complete') {
      // The first task runs alone: a regex with catastrophic backtracking then takes one thread and not all.
      while (next < tasks.length && running.size < (searched === 0 ? 1 : SEARCH_THREADS)) {
        const number = next++;
        // One more than is wanted shows whether there are more.
        const result = { type: 'lines' as const, order, limit: limit - matched + 1, maxLength, cursor };
        const task: SearchTask = { query, blocks: tasks[number] ?? [], result };
        const done = runner.run(task).then((found) => ({ number, result: found }));
        done.catch(() => undefined);
        running.set(number, done);
      }
      const { number, result } = await Promise.race(running.values());
      running.delete(number);
      searched += result.searched;
      if (limit === Infinity) runner.restart();
      if (result.matches.length > 0) {
        waiting = [...waiting, ...result.matches.reverse()].sort(
          (one, other) => -sign * compareLines(one, other),
        );
      }
      const time = bound();
      for (let match = waiting.at(-1); match && sign * (match.time - time) < 0; match = waiting.at(-1)) {
        const size = maxBytes === Infinity ? 0 : Buffer.byteLength(match.line.text);
        if (matched === limit || (matched > 0 && textBytes + size > maxBytes)) {
          reason = 'limit';
          break;
        }
        waiting.pop();
        matched += 1;
        textBytes += size;
        yield { type: 'match', source: match.source, line: match.line };
        if (signal.aborted) return;
      }
      const now = performance.now();
      if (reason === 'complete' && Number.isFinite(time) && now - reportedAt > PROGRESS_MS) {
        reportedAt = now;
        yield { type: 'progress', searched, time };
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof SearchTimeout)) throw error;
    reason = 'timeout';
  } finally {
    runner.end();
  }
  const time = reason === 'timeout' ? bound() : Infinity;
  yield { type: 'end', searched, matched, reason, time: Number.isFinite(time) ? time : null };
}

/** Counts matching lines over time. */
export async function countLines(
  sources: readonly SourceBlocks[],
  query: LogQuery,
  buckets: number,
  pool: SearchPool,
  signal: AbortSignal,
): Promise<Histogram> {
  new LineMatcher(query);
  const extents = sources.map(({ extent }) => extent).filter(({ firstTime }) => firstTime !== null);
  const first = Math.min(...extents.map(({ firstTime }) => firstTime ?? Infinity));
  const last = Math.max(...extents.map(({ lastTime }) => lastTime ?? 0));
  const from = query.from ?? (Number.isFinite(first) ? first : 0);
  const to = Math.max(query.to ?? last + 1, from + 1);
  const width = Math.ceil((to - from) / buckets);
  const counts = new Float64Array(buckets * LEVEL_COUNT);
  const runner = new TaskRunner(pool, signal);
  const tasks = tasksOf(blocksOf(sources, from, to, 'newest'));
  let reason: Histogram['reason'] = 'complete';
  const result = { type: 'counts' as const, from, width, buckets };
  const count = async (blocks: KnownBlock[] = []): Promise<void> => {
    const counted = await runner.run({ query: { ...query, sources: null, from, to }, blocks, result });
    counted.counts.forEach((number, index) => (counts[index] = (counts[index] as number) + number));
  };
  const work = async (): Promise<void> => {
    while (tasks.length > 0) await count(tasks.shift());
  };
  try {
    // See `searchLines` for the first task.
    await count(tasks.shift());
    await Promise.all(Array.from({ length: SEARCH_THREADS }, work));
  } catch (error) {
    if (!(error instanceof SearchTimeout) && !signal.aborted) throw error;
    reason = 'timeout';
  } finally {
    runner.end();
  }
  const bucketAt = (index: number): HistogramBucket => {
    const levels: HistogramBucket['levels'] = {};
    let total = 0;
    for (const [level, count] of counts.subarray(index * LEVEL_COUNT, (index + 1) * LEVEL_COUNT).entries()) {
      if (count > 0) levels[LEVELS[level - 1] ?? 'none'] = count;
      total += count;
    }
    return { time: from + index * width, total, levels };
  };
  return { from, to, width, buckets: Array.from({ length: buckets }, (_, index) => bucketAt(index)), reason };
}
