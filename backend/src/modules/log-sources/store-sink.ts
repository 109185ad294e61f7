import { ResponseLimits } from '../log-lines/index.js';
import type { LogLine, LogStore, NewLogLine } from '../../drivers/log-store/index.js';
import type { LineBus } from './line-bus.js';
import { DISORDER_US, type SourceRegistry } from './source-registry.js';
import type { LineSink } from './reading/line-sink.js';
import { markOf, type KnownLine } from './reading/resumption.js';

/** Lines per read of the store. */
const PAGE_LINES = 5000;
/** Older lines were read late and do not count toward the rate. */
const RECENT_US = 10_000_000;
const DAY_US = 86_400_000_000;

export class StoreSink implements LineSink {
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
    // All lines have expired. Older lines that the log still has would expire immediately.
    return (extent?.nextSeq ?? 1) > 1 ? Date.now() * 1000 - this.maxAgeDays * DAY_US : null;
  }

  deletedAt(source: number): number | null {
    return this.registry.deletedAt(this.registry.find(source)?.identity.key ?? '');
  }

  async between(source: number, from: number, to = Infinity): Promise<KnownLine[]> {
    const known: KnownLine[] = [];
    // Lines that arrive meanwhile are not read.
    const end = this.store.extent(source)?.nextSeq ?? 0;
    let next = await this.store.seqAt(source, from);
    while (next < end) {
      const page = await this.store.lines(source, next, PAGE_LINES, this.limits.pageBytes);
      for (const { time, text } of page) if (time <= to) known.push({ time, text: markOf(text) });
      const last = page.at(-1);
      if (!last || last.time > to + DISORDER_US) break;
      next = last.seq + 1;
    }
    return known;
  }
}

/** Field by field: spreading a line takes ten times as long. */
function stored(seq: number, { time, stream, level, text, cut, continues }: NewLogLine): LogLine {
  return { seq, time, stream, level, text, cut, continues };
}

function recentCount(lines: readonly NewLogLine[]): number {
  const since = Date.now() * 1000 - RECENT_US;
  let count = 0;
  for (const { time } of lines) if (time >= since) count += 1;
  return count;
}
