import { AnswerBounds } from '../answer-bounds.js';
import type { LogHistory } from '../history/index.js';
import type { NewLine, StoredLine } from '../lines/line.js';
import type { LineFeed } from '../live/line-feed.js';
import type { SourceRegistry } from '../sources/source-registry.js';
import type { KeptLines } from './line-sink.js';
import { markOf, type KnownLine } from './resumption.js';

/** Lines that are read of the history at once. */
const PAGE = 5000;
/** Lines of one source may be so much out of their order. */
const DISORDER_US = 1_000_000;
/** What is older was not written just now, but read late: it is no part of a rate. */
const RECENT_US = 10_000_000;
const DAY_US = 86_400_000_000;

/** Keeps what is read in the history, and then tells it. */
export class HistorySink implements KeptLines {
  constructor(
    private readonly history: LogHistory,
    private readonly feed: LineFeed,
    private readonly registry: SourceRegistry,
    private readonly maxAgeDays: number,
    private readonly bounds = new AnswerBounds(),
  ) {}

  append(source: number, lines: readonly NewLine[]): void {
    const first = this.history.append(source, lines);
    this.registry.count(source, recentCount(lines));
    this.feed.appended.next({ source, lines: lines.map((line, index) => stored(first + index, line)) });
  }

  room(): Promise<void> {
    return this.history.room();
  }

  lastTime(source: number): number | null {
    const extent = this.history.extent(source);
    if (extent?.lastTime !== null && extent?.lastTime !== undefined) return extent.lastTime;
    const deletedAt = this.deletedAt(source);
    if (deletedAt !== null) return deletedAt;
    // All of it grew too old: what is still in the log and as old would go again at once.
    return (extent?.nextSeq ?? 1) > 1 ? Date.now() * 1000 - this.maxAgeDays * DAY_US : null;
  }

  deletedAt(source: number): number | null {
    return this.registry.deletedAt(this.registry.find(source)?.identity.key ?? '');
  }

  since(source: number, time: number): Promise<KnownLine[]> {
    return this.between(source, time, Infinity);
  }

  async between(source: number, from: number, to: number): Promise<KnownLine[]> {
    const known: KnownLine[] = [];
    // What comes meanwhile is not waited for.
    const end = this.history.extent(source)?.nextSeq ?? 0;
    let next = await this.history.sequenceAt(source, from);
    while (next < end) {
      const page = await this.history.page(source, next, PAGE, this.bounds.pageBytes);
      for (const { time, text } of page) if (time <= to) known.push({ time, text: markOf(text) });
      const last = page.at(-1);
      if (!last || last.time > to + DISORDER_US) break;
      next = last.seq + 1;
    }
    return known;
  }
}

/** Field by field: to spread a line takes ten times as long. */
function stored(seq: number, { time, stream, level, text, cut, continues }: NewLine): StoredLine {
  return { seq, time, stream, level, text, cut, continues };
}

function recentCount(lines: readonly NewLine[]): number {
  const since = Date.now() * 1000 - RECENT_US;
  let count = 0;
  for (const { time } of lines) if (time >= since) count += 1;
  return count;
}
