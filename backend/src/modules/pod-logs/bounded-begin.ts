import { setTimeout as delay } from 'node:timers/promises';
import type { NewLogLine } from '../../drivers/log-store/index.js';

/** A log that says nothing for so long has told what it had. */
const QUIET_MS = 100;
/** Nobody waits for longer for lines that there is room for. */
const MOST_MS = 1000;
/** Bytes that are handed on at once. */
const PIECE = 256 * 1024;

/** Lines of a log. */
export interface ToldLines {
  /** How many older ones are left out before them. */
  leftOut: number;
  lines: NewLogLine[];
}

export interface BeginBounds {
  /** So many lines were asked for. */
  tail: number;
  /** Bytes of their texts together that are told. One line is, however long. */
  bytes: number;
  /** What was written from now on is no part of the begin. Microseconds since the epoch. */
  now: number;
}

/**
 * Bounds what a log begins with: of the lines that were asked for the newest are told, as many as there is room for.
 * What is written meanwhile follows as it comes, which a reader that is slow holds back.
 */
export async function* withBoundedBegin(
  batches: AsyncGenerator<NewLogLine[]>,
  bounds: BeginBounds,
): AsyncGenerator<ToldLines> {
  const begin = new Begin(bounds);
  try {
    let next = batches.next();
    while (!begin.isOver) {
      // What it fails by is told after what came before.
      const coming = next.catch(() => 'failed' as const);
      // The first one is waited for.
      const batch = await (begin.isEmpty ? coming : Promise.race([coming, quiet()]));
      if (batch === 'quiet' || batch === 'failed' || batch.done) break;
      begin.add(batch.value);
      next = batches.next();
    }
    // It is awaited below.
    next.catch(() => undefined);
    yield* begin.told();
    for (let batch = await next; !batch.done; batch = await batches.next()) {
      yield { leftOut: 0, lines: batch.value };
    }
  } finally {
    // Whoever leaves in between leaves the log as well: it ends by its signal.
    void batches.return(undefined);
  }
}

async function quiet(): Promise<'quiet'> {
  return await delay(QUIET_MS, 'quiet', { ref: false });
}

/** The newest lines of a begin. */
class Begin {
  private lines: { line: NewLogLine; bytes: number }[] = [];
  /** Of those, so many are left out. */
  private first = 0;
  private leftOut = 0;
  private bytes = 0;
  private seen = 0;
  private since = 0;
  private isNow = false;

  constructor(private readonly bounds: BeginBounds) {}

  get isEmpty(): boolean {
    return this.seen === 0;
  }

  get isOver(): boolean {
    if (this.isNow || this.seen >= this.bounds.tail) return true;
    return this.seen > 0 && this.leftOut === 0 && performance.now() - this.since > MOST_MS;
  }

  add(lines: readonly NewLogLine[]): void {
    if (this.isEmpty) this.since = performance.now();
    for (const line of lines) {
      const bytes = Buffer.byteLength(line.text);
      this.lines.push({ line, bytes });
      this.bytes += bytes;
      this.seen += 1;
      this.isNow ||= line.time >= this.bounds.now;
    }
    while (this.bytes > this.bounds.bytes && this.first < this.lines.length - 1) {
      this.bytes -= this.lines[this.first]?.bytes ?? 0;
      this.first += 1;
      this.leftOut += 1;
    }
    if (this.first > this.lines.length / 2) {
      this.lines = this.lines.slice(this.first);
      this.first = 0;
    }
  }

  *told(): Generator<ToldLines> {
    let { leftOut } = this;
    let lines: NewLogLine[] = [];
    let room = PIECE;
    for (const { line, bytes } of this.lines.slice(this.first)) {
      lines.push(line);
      room -= bytes;
      if (room > 0) continue;
      yield { leftOut, lines };
      lines = [];
      leftOut = 0;
      room = PIECE;
    }
    this.lines = [];
    if (lines.length > 0) yield { leftOut, lines };
  }
}
