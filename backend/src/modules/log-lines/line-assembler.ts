import type { LogPiece, LogStream } from '../../drivers/runtime/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { LineGrouping } from './line-grouping.js';
import { lineText, MAX_LINE_BYTES } from './line-text.js';

/** A line without a line end is shown after this time: a prompt has none. */
export const PARTIAL_LINE_MS = 1000;

/** Engines split longer lines into pieces of 16 KB. After a piece of exactly that size, more is expected. */
const PIECE_BYTES = 16 * 1024;
/** How long to wait for the next piece. A busy machine may take seconds. */
export const NEXT_PIECE_MS = 10_000;

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line with nanoseconds, to distinguish it from identical lines of the same microsecond. */
export interface AssembledLine extends NewLogLine {
  /** Nanoseconds beyond `time`, 0 to 999; undefined if unknown. */
  nanos: number | undefined;
}

type Moment = Pick<AssembledLine, 'time' | 'nanos'>;

/** A line whose end has not arrived. */
interface PartialLine extends Moment {
  /** At most MAX_LINE_BYTES in total. */
  parts: Buffer[];
  kept: number;
  /** Bytes after those that are kept. */
  dropped: number;
  /** When its first byte arrived, in milliseconds. */
  since: number;
  /** Whether an earlier part was already returned as a line. */
  shown: boolean;
}

/**
 * Assembles lines from pieces: joins the pieces of each stream, splits them at line ends, decodes them, detects the
 * level, and marks continuation lines. A line has the time of its first piece. A line without an end is returned
 * after PARTIAL_LINE_MS, or after NEXT_PIECE_MS if the engine split it, and the rest continues it.
 */
export class LineAssembler {
  private readonly partial = new Map<LogStream | null, PartialLine>();
  private readonly grouping = new LineGrouping();

  /** @param now in milliseconds, for lines without an end */
  take(pieces: readonly LogPiece[], now: number): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const piece of pieces) this.takePiece(piece, now, lines);
    return lines;
  }

  takePartial(now: number): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const [stream, partial] of this.partial) {
      if (partial.kept > 0 && now - partial.since >= timeoutOf(partial)) {
        this.show(stream, partial, lines, now);
      }
    }
    return lines;
  }

  /** Whether `takePartial` will return a line later. */
  get hasPartial(): boolean {
    for (const { kept } of this.partial.values()) if (kept > 0) return true;
    return false;
  }

  /** Returns all lines without an end, because the source has ended. */
  flush(): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const [stream, partial] of this.partial) {
      if (partial.kept > 0) this.finish(stream, partial, lines);
    }
    this.partial.clear();
    return lines;
  }

  private takePiece({ stream, time, nanos, data }: LogPiece, now: number, lines: AssembledLine[]): void {
    let from = 0;
    for (;;) {
      const end = data.indexOf(LINE_END, from);
      const partial = this.partial.get(stream);
      if (end < 0) {
        if (from < data.length) this.keep(stream, partial, data.subarray(from), { time, nanos }, now);
        return;
      }
      if (partial) {
        if (partial.kept === 0) Object.assign(partial, { time, nanos });
        add(partial, data.subarray(from, end));
        this.partial.delete(stream);
        this.finish(stream, partial, lines);
      } else {
        const { text, cut } = lineText(data, from, withoutReturn(data, from, end));
        lines.push(this.lineOf(stream, time, nanos, text, cut));
      }
      from = end + 1;
    }
  }

  private keep(
    stream: LogStream | null,
    partial: PartialLine | undefined,
    bytes: Buffer,
    at: Moment,
    now: number,
  ): void {
    const line = partial ?? { ...at, parts: [], kept: 0, dropped: 0, since: now, shown: false };
    if (line.kept === 0) Object.assign(line, at, { since: now });
    add(line, bytes);
    this.partial.set(stream, line);
  }

  private show(stream: LogStream | null, partial: PartialLine, lines: AssembledLine[], now: number): void {
    lines.push(this.lineOfPartialLine(stream, partial, Buffer.concat(partial.parts)));
    Object.assign(partial, { parts: [], kept: 0, dropped: 0, since: now, shown: true });
  }

  private finish(stream: LogStream | null, partial: PartialLine, lines: AssembledLine[]): void {
    const bytes = partial.parts.length === 1 ? partial.parts[0] : Buffer.concat(partial.parts);
    const whole = bytes ?? Buffer.alloc(0);
    // The rest of a line that was already returned is empty.
    if (partial.shown && withoutReturn(whole, 0, whole.length) === 0) return;
    const end = partial.dropped > 0 ? whole.length : withoutReturn(whole, 0, whole.length);
    lines.push(this.lineOfPartialLine(stream, partial, whole, end));
  }

  private lineOfPartialLine(
    stream: LogStream | null,
    { time, nanos, dropped, shown }: PartialLine,
    bytes: Buffer,
    end = bytes.length,
  ): AssembledLine {
    const { text, cut } = lineText(bytes, 0, end, dropped);
    return this.lineOf(stream, time, nanos, text, cut, shown);
  }

  private lineOf(
    stream: LogStream | null,
    time: number,
    nanos: number | undefined,
    text: string,
    cut: number,
    restOfShown = false,
  ): AssembledLine {
    const continues = this.grouping.continues(stream, time, text) || restOfShown;
    const level = this.grouping.level(stream, continues, text);
    return { time, nanos, stream, level, text, cut, continues };
  }
}

/** Terminals write a carriage return before the line end, also before one that has it. */
function withoutReturn(data: Buffer, from: number, end: number): number {
  let to = end;
  while (to > from && data[to - 1] === CARRIAGE_RETURN) to -= 1;
  return to;
}

function timeoutOf({ kept, dropped }: PartialLine): number {
  return (kept + dropped) % PIECE_BYTES === 0 ? NEXT_PIECE_MS : PARTIAL_LINE_MS;
}

function add(partial: PartialLine, bytes: Buffer): void {
  const room = Math.max(0, MAX_LINE_BYTES - partial.kept);
  const taken = Math.min(room, bytes.length);
  // A copy, because a view would keep the engine's whole buffer in memory.
  if (taken > 0) partial.parts.push(Buffer.from(bytes.subarray(0, taken)));
  partial.kept += taken;
  partial.dropped += bytes.length - taken;
}
