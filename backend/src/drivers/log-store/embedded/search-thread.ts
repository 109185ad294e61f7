import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { Block } from './block.js';
import { BlockStore } from './block.store.js';
import { LineMatcher } from './line-matcher.js';
import { compareLines, LEVEL_COUNT, type SearchTask, type SearchTaskResult } from './search-messages.js';
import type { KnownBlock } from './writer.js';

const { data: path } = workerData as { data: string };
let store: BlockStore | undefined;

/** A matching line before it is decoded. */
interface Found {
  block: Block;
  index: number;
  source: number;
  seq: number;
  time: number;
}

function search({ query, blocks, result }: SearchTask): SearchTaskResult {
  const matcher = new LineMatcher(query);
  const counts = new Float64Array(result.type === 'counts' ? result.buckets * LEVEL_COUNT : 0);
  const found: Found[] = [];
  let searched = 0;
  for (const known of blocks) {
    searched += known.endSeq - known.firstSeq;
    for (const block of readBlocks(known, matcher, matcher.needsText || result.type === 'lines')) {
      const { firstSeq, firstTime, lastTime, source } = block.info;
      const { from, to } = query;
      const isCut = (from !== null && firstTime < from) || (to !== null && lastTime >= to);
      const first = Math.max(known.firstSeq - firstSeq, from !== null && isCut ? block.indexAt(from) : 0);
      const end = Math.min(
        known.endSeq - firstSeq,
        block.count,
        to !== null && isCut ? block.indexAt(to) : Infinity,
      );
      const times = block.effectiveTimes;
      matcher.each(block, first, end, (index) => {
        const time = times[index] as number;
        if (result.type === 'lines') found.push({ block, index, source, seq: firstSeq + index, time });
        else {
          const at = Math.floor((time - result.from) / result.width) * LEVEL_COUNT + block.levelOf(index);
          counts[at] = (counts[at] as number) + 1;
        }
      });
    }
  }
  if (result.type === 'counts') return { searched, matches: [], counts };
  const sign = result.order === 'newest' ? -1 : 1;
  const { cursor, limit, maxLength } = result;
  const behind = cursor ? found.filter((match) => sign * compareLines(match, cursor) > 0) : found;
  behind.sort((one, other) => sign * compareLines(one, other));
  const matches = behind.slice(0, limit).map(({ block, index, source, seq, time }) => ({
    source,
    seq,
    time,
    line: block.line(index, maxLength),
  }));
  return { searched, matches, counts };
}

/** Blocks with the lines of a known one; none if they were deleted or are damaged. */
function* readBlocks(known: KnownBlock, matcher: LineMatcher, withText: boolean): Generator<Block> {
  if (known.data) {
    yield new Block(known, known.data);
    return;
  }
  store ??= BlockStore.openReader(path);
  for (const info of store.find(known.source, known.firstSeq, known.endSeq)) {
    try {
      const filter = matcher.usesFilter ? store.filter(info.id) : null;
      if (matcher.mayMatch(info.levels, filter)) yield new Block(info, store.data(info, withText));
    } catch {
      // A damaged block has no lines that could be shown.
    }
  }
}

parentPort?.on('message', (task: SearchTask) => {
  try {
    parentPort?.postMessage(search(task));
  } catch (error) {
    parentPort?.postMessage(reasonOf(error));
  }
});
