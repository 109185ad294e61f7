import { ResponseLimits } from '../log-lines/index.js';
import type { LogLine, LogStore, NewLogLine } from '../../drivers/log-store/index.js';
import type { LineBus } from './line-bus.js';
import { DISORDER_US, type SourceRegistry } from './source-registry.js';
import type { StoredLines } from './reading/line-sink.js';
import { markOf, type KnownLine } from './reading/resumption.js';

/** Lines that are read of the history at once. */
const PAGE = 5000;
/** What is older was not written just now, but read late: it is no part of a rate. */
const RECENT_US = 10_000_000;
const DAY_US = 86_400_000_000;

/** Stores what is read, and then publishes it. */
export class StoreSink implements StoredLines {
  constructor(
    private readonly store: LogStore,
    private readonly bus: LineBus,
    private readonly registry: SourceRegistry,
    private readonly maxAgeDays: number,
    private readonly limits = new ResponseLimits(),
  ) {}

  append(source: number, lines: readonly NewLogLine[]): void {
    const first = this.store.append(source, lines);
    this.registry.count(source, recentCount(lines));
    this.bus.appended.next({ source, lines: lines.map((line, index) => stored(first + index, line)) });
  }

  room(): Promise<void> {
    return this.store.room();
  }

  lastTime(source: number): number | null {
    const extent = this.store.extent(source);
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
    const end = this.store.extent(source)?.nextSeq ?? 0;
    let next = await this.store.seqAt(source, from);
    while (next < end) {
      const page = await this.store.lines(source, next, PAGE, this.limits.pageBytes);
      for (const { time, text } of page) if (time <= to) known.push({ time, text: markOf(text) });
      const last = page.at(-1);
      if (!last || last.time > to + DISORDER_US) break;
      next = last.seq + 1;
    }
    return known;
  }
}

/** Field by field: to spread a line takes ten times as long. */
function stored(seq: number, { time, stream, level, text, cut, continues }: NewLogLine): LogLine {
  return { seq, time, stream, level, text, cut, continues };
}

function recentCount(lines: readonly NewLogLine[]): number {
  const since = Date.now() * 1000 - RECENT_US;
  let count = 0;
  for (const { time } of lines) if (time >= since) count += 1;
  return count;
}
