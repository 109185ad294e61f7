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
import { SEARCH_THREADS, SearchBudget, SearchTimeout, type SearchPool } from './search-pool.js';
import { compareLines, LEVEL_COUNT, type CountQuery, type Match } from './search-task.js';
import type { SourceBlocks } from './source-blocks.js';
import type { KnownBlock } from './writer.js';

const PROGRESS_MS = 100;
/** Text of the first task, and of later ones: the first matches come soon, and tasks are not too many. */
const FIRST_TASK_BYTES = 256 * 1024;
const TASK_BYTES = 2 * 1024 * 1024;
/** The cost of a block beside its text. */
const BLOCK_COST_BYTES = 4096;

/** Splits a search into tasks of consecutive blocks, in its order: those with the newest, or the oldest, lines first. */
function tasksOf(
  sources: readonly SourceBlocks[],
  { from, to }: LogQuery,
  order: LogSearch['order'],
): KnownBlock[][] {
  const blocks = sources
    .flatMap((source) => source.snapshot())
    .filter(({ firstTime, lastTime }) => lastTime >= (from ?? -Infinity) && firstTime < (to ?? Infinity));
  if (order === 'newest') blocks.sort((one, other) => other.lastTime - one.lastTime);
  else blocks.sort((one, other) => one.firstTime - other.firstTime);
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

function linesIn(blocks: readonly KnownBlock[]): number {
  return blocks.reduce((sum, { firstSeq, endSeq }) => sum + endSeq - firstSeq, 0);
}

/**
 * Searches for lines. See `LogStore.search`.
 * @param behind the cursor, with the effective time of its line
 */
export async function* searchLines(
  sources: readonly SourceBlocks[],
  search: LogSearch,
  behind: Promise<SearchCursor | null>,
  pool: SearchPool,
  signal: AbortSignal,
): AsyncGenerator<SearchEvent, void, undefined> {
  const { order, limit, bytes: maxBytes = Infinity } = search;
  const cursor = await behind;
  const isNewest = order === 'newest';
  const sign = isNewest ? -1 : 1;
  const from = !isNewest && cursor ? Math.max(cursor.time, search.from ?? 0) : search.from;
  const to = isNewest && cursor ? Math.min(cursor.time + 1, search.to ?? Infinity) : search.to;
  const query: LogSearch = { ...search, sources: null, cursor, from, to };
  const tasks = tasksOf(sources, query, order);
  const budget = new SearchBudget(signal);
  /** In the order in which they began. */
  const running = new Map<KnownBlock[], Promise<{ task: KnownBlock[]; matches: Match[] }>>();
  /** Found behind a task that is still running, in the opposite order, so that the next one is the last. */
  let waiting: Match[] = [];
  let searched = 0;
  let matched = 0;
  let textBytes = 0;
  let reportedAt = performance.now();
  let reason: SearchEnd = 'complete';
  /** Every match before this time, in the order of the search, is found. */
  const bound = (): number => {
    const [first] = running.keys().next().value ?? tasks[0] ?? [];
    if (!first) return isNewest ? -Infinity : Infinity;
    return isNewest ? first.lastTime : first.firstTime;
  };
  try {
    while ((running.size > 0 || tasks.length > 0) && reason === 'complete') {
      // The first task runs alone: a regex with catastrophic backtracking then takes one thread and not all.
      while (tasks.length > 0 && running.size < (searched === 0 ? 1 : SEARCH_THREADS)) {
        const task = tasks.shift() ?? [];
        // One more than is wanted shows whether there are more.
        const found = pool.run({ query: { ...query, limit: limit - matched + 1 }, blocks: task }, budget);
        const done = found.then((matches) => ({ task, matches: matches as Match[] }));
        done.catch(() => undefined);
        running.set(task, done);
      }
      const { task, matches } = await Promise.race(running.values());
      running.delete(task);
      searched += linesIn(task);
      if (limit === Infinity) budget.restart();
      if (matches.length > 0) {
        const both = [...waiting, ...matches.reverse()];
        waiting = both.sort((one, other) => -sign * compareLines(one, other));
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
    budget.end();
  }
  const time = reason === 'timeout' ? bound() : Infinity;
  yield { type: 'end', searched, matched, reason, time: Number.isFinite(time) ? time : null };
}

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
  // Never later than the end, which may be before the first line.
  const from = query.from ?? Math.min(Number.isFinite(first) ? first : 0, (query.to ?? Infinity) - 1);
  const to = Math.max(query.to ?? last + 1, from + 1);
  const width = Math.ceil((to - from) / buckets);
  const counts = new Float64Array(buckets * LEVEL_COUNT);
  const wanted: CountQuery = { ...query, sources: null, from, to, width, buckets };
  const tasks = tasksOf(sources, wanted, 'newest');
  const budget = new SearchBudget(signal);
  let reason: Histogram['reason'] = 'complete';
  const count = async (): Promise<void> => {
    const counted = await pool.run({ query: wanted, blocks: tasks.shift() ?? [] }, budget);
    (counted as Float64Array).forEach(
      (number, index) => (counts[index] = (counts[index] as number) + number),
    );
  };
  const work = async (): Promise<void> => {
    while (tasks.length > 0) await count();
  };
  try {
    // See `searchLines` for the first task.
    await count();
    await Promise.all(Array.from({ length: SEARCH_THREADS }, work));
  } catch (error) {
    if (!(error instanceof SearchTimeout) && !signal.aborted) throw error;
    reason = 'timeout';
  } finally {
    budget.end();
  }
  const bucketAt = (_: unknown, index: number): HistogramBucket => {
    const levels: HistogramBucket['levels'] = {};
    let total = 0;
    counts.subarray(index * LEVEL_COUNT, (index + 1) * LEVEL_COUNT).forEach((number, level) => {
      if (number > 0) levels[LEVELS[level - 1] ?? 'none'] = number;
      total += number;
    });
    return { time: from + index * width, total, levels };
  };
  return { from, to, width, buckets: Array.from({ length: buckets }, bucketAt), reason };
}
