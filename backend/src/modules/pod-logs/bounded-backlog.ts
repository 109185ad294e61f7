import { setTimeout as delay } from 'node:timers/promises';
import type { NewLogLine } from '../../drivers/log-store/index.js';

/** A log that is idle this long has no more backlog. */
const IDLE_MS = 100;
/** Maximum time to collect a backlog that fits. */
const MAX_MS = 1000;
const BATCH_BYTES = 256 * 1024;

export interface LineBatch {
  /** Number of older lines that are omitted before these. */
  omitted: number;
  lines: NewLogLine[];
}

export interface BacklogLimits {
  /** Requested number of lines. */
  tail: number;
  /** Maximum bytes of text. At least one line is returned, however long. */
  bytes: number;
  /** Newer lines are not part of the backlog. Microseconds since the epoch. */
  now: number;
}

/**
 * Limits the backlog of a log to the newest lines that fit. New lines follow as they arrive, with backpressure from the
 * consumer.
 */
export async function* withBoundedBacklog(
  batches: AsyncGenerator<NewLogLine[]>,
  limits: BacklogLimits,
): AsyncGenerator<LineBatch> {
  const backlog = new Backlog(limits);
  try {
    let next = batches.next();
    while (!backlog.isOver) {
      // Errors are thrown after the lines before them.
      const pending = next.catch(() => 'failed' as const);
      // Wait for the first batch, however long it takes.
      const batch = await (backlog.isEmpty ? pending : Promise.race([pending, idle()]));
      if (batch === 'idle' || batch === 'failed' || batch.done) break;
      backlog.add(batch.value);
      next = batches.next();
    }
    next.catch(() => undefined);
    yield* backlog.batches();
    for (let batch = await next; !batch.done; batch = await batches.next()) {
      yield { omitted: 0, lines: batch.value };
    }
  } finally {
    // If the consumer leaves early, the log is closed too. Its signal ends it.
    void batches.return(undefined);
  }
}

async function idle(): Promise<'idle'> {
  return await delay(IDLE_MS, 'idle', { ref: false });
}

/** The newest lines of a backlog. */
class Backlog {
  private lines: { line: NewLogLine; bytes: number }[] = [];
  /** Index of the first line that is not omitted. */
  private first = 0;
  private omitted = 0;
  private bytes = 0;
  private seen = 0;
  private since = 0;
  private isNow = false;

  constructor(private readonly limits: BacklogLimits) {}

  get isEmpty(): boolean {
    return this.seen === 0;
  }

  get isOver(): boolean {
    if (this.isNow || this.seen >= this.limits.tail) return true;
    return this.seen > 0 && this.omitted === 0 && performance.now() - this.since > MAX_MS;
  }

  add(lines: readonly NewLogLine[]): void {
    if (this.isEmpty) this.since = performance.now();
    for (const line of lines) {
      const bytes = Buffer.byteLength(line.text);
      this.lines.push({ line, bytes });
      this.bytes += bytes;
      this.seen += 1;
      this.isNow ||= line.time >= this.limits.now;
    }
    while (this.bytes > this.limits.bytes && this.first < this.lines.length - 1) {
      this.bytes -= this.lines[this.first]?.bytes ?? 0;
      this.first += 1;
      this.omitted += 1;
    }
    if (this.first > this.lines.length / 2) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
    }
  }

  *batches(): Generator<LineBatch> {
    let { omitted } = this;
    let lines: NewLogLine[] = [];
    let room = BATCH_BYTES;
    for (const { line, bytes } of this.lines.slice(this.first)) {
      lines.push(line);
      room -= bytes;
      if (room > 0) continue;
      yield { omitted, lines };
      lines = [];
      omitted = 0;
      room = BATCH_BYTES;
    }
    this.lines = [];
    if (lines.length > 0) yield { omitted, lines };
  }
}
