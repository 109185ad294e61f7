import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import type { LogSearch } from '../log-query.js';
import { Block } from './block.js';
import { BlockStore } from './block.store.js';
import { LineMatcher } from './line-matcher.js';
import { compareLines, LEVEL_COUNT, type CountQuery, type Match, type SearchTask } from './search-task.js';
import type { KnownBlock } from './writer.js';

const path = workerData as string;
let store: BlockStore | undefined;

type EachMatch = (visit: (index: number) => void) => void;
type Searched = Iterable<{ block: Block; each: EachMatch }>;

function find(blocks: Searched, { order, cursor, limit, characters }: LogSearch): Match[] {
  const sign = order === 'newest' ? -1 : 1;
  const found: (Omit<Match, 'line'> & { block: Block; index: number })[] = [];
  for (const { block, each } of blocks) {
    const { source, firstSeq } = block.info;
    const times = block.effectiveTimes;
    each((index) =>
      found.push({ block, index, source, seq: firstSeq + index, time: times[index] as number }),
    );
  }
  const behind = cursor ? found.filter((match) => sign * compareLines(match, cursor) > 0) : found;
  behind.sort((one, other) => sign * compareLines(one, other));
  const matches = behind.slice(0, limit);
  return matches.map(({ block, index, ...match }) => ({ ...match, line: block.line(index, characters) }));
}

function count(blocks: Searched, { from, width, buckets }: CountQuery): Float64Array {
  const counts = new Float64Array(buckets * LEVEL_COUNT);
  const bucketOf = (time: number): number => Math.floor((time - from) / width) * LEVEL_COUNT;
  for (const { block, each } of blocks) {
    const bucket = bucketOf(block.info.firstTime);
    // Most blocks lie in one bucket: the time of each line is not needed then.
    const times = bucket === bucketOf(block.info.lastTime) ? undefined : block.effectiveTimes;
    each((index) => {
      const at = (times ? bucketOf(times[index] as number) : bucket) + block.levelOf(index);
      counts[at] = (counts[at] as number) + 1;
    });
  }
  return counts;
}

/** The blocks of a task, and their matching lines in its time range. */
function* searchedBlocks({ query, blocks }: SearchTask): Searched {
  const { from, to } = query;
  const matcher = new LineMatcher(query);
  for (const known of blocks) {
    for (const block of readBlocks(known, matcher, matcher.needsText || !('buckets' in query))) {
      const { firstSeq, firstTime, lastTime } = block.info;
      const first = from !== null && firstTime < from ? block.indexAt(from) : 0;
      const end = to !== null && lastTime >= to ? block.indexAt(to) : block.count;
      const [begin, behind] = [
        Math.max(known.firstSeq - firstSeq, first),
        Math.min(known.endSeq - firstSeq, end),
      ];
      yield { block, each: (visit) => matcher.each(block, begin, behind, visit) };
    }
  }
}

/** Blocks with the lines of a known one; none if they were deleted or are damaged. */
function readBlocks(known: KnownBlock, matcher: LineMatcher, withText: boolean): Block[] {
  if (known.data) return [new Block(known, known.data)];
  const reader = (store ??= BlockStore.openReader(path));
  // Between the reads, a block may be merged into another one or compressed, which replaces it.
  return reader.database.transaction(() =>
    reader.find(known.source, known.firstSeq, known.endSeq).flatMap((info) => {
      try {
        const mayMatch = matcher.mayMatch(info.levels, () => reader.filter(info.id));
        return mayMatch ? [new Block(info, reader.data(info, withText))] : [];
      } catch {
        // A damaged block has no lines that could be shown.
        return [];
      }
    }),
  );
}

parentPort?.on('message', (task: SearchTask) => {
  const { query } = task;
  try {
    const blocks = searchedBlocks(task);
    parentPort?.postMessage('buckets' in query ? count(blocks, query) : find(blocks, query));
  } catch (error) {
    parentPort?.postMessage(reasonOf(error));
  }
});
