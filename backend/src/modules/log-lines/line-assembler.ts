import type { LogPiece, LogStream } from '../../drivers/runtime/index.js';
import type { NewLogLine } from '../../drivers/log-store/index.js';
import { GroupLevels } from './group-levels.js';
import { levelOf } from './level.js';
import { LineGrouping } from './line-grouping.js';
import { lineText, MAX_LINE_BYTES } from './line-text.js';

/** A line that was begun and not ended waits no longer than this for the rest: a prompt has no end. */
export const UNENDED_MS = 1000;

/** Engines cut a longer line into pieces of 16 KB: of one that is as long to the byte, the rest is on its way. */
const PIECE_BYTES = 16 * 1024;
/** For how long that is believed; a busy machine may take seconds between two pieces. */
export const CUT_MS = 10_000;

const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line with what tells it from a like one of the same microsecond. */
export interface AssembledLine extends NewLogLine {
  /** Nanoseconds beyond its time, 0 to 999; undefined where nobody tells them. */
  nanos: number | undefined;
}

type Moment = Pick<AssembledLine, 'time' | 'nanos'>;

/** The beginning of a line whose end has not come. */
interface Begun extends Moment {
  /** At most MAX_LINE_BYTES in all. */
  parts: Buffer[];
  kept: number;
  /** Bytes behind those that are kept. */
  beyond: number;
  /** When its first byte came, by the clock of the intake in milliseconds. */
  since: number;
  /** Whether an earlier part of it is a line already. */
  shown: boolean;
}

/**
 * Makes lines of what engines hand on: joins the pieces of each stream, splits at line ends, decodes, recognises the
 * level, and marks what belongs to the line before it. A line has the time of its first piece. Nothing is held back
 * for longer than UNENDED_MS, or CUT_MS where the engine cut it: what has no end by then is shown, and what follows it
 * continues it.
 */
export class LineAssembler {
  private readonly begun = new Map<LogStream | null, Begun>();
  private readonly grouping = new LineGrouping();
  private readonly levels = new GroupLevels();

  /** @param now the clock of the intake in milliseconds, for what has no end. */
  take(pieces: readonly LogPiece[], now: number): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const piece of pieces) this.takePiece(piece, now, lines);
    return lines;
  }

  /** Shows what waits for its end too long. */
  takeUnended(now: number): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const [stream, begun] of this.begun) {
      if (begun.kept > 0 && now - begun.since >= patienceWith(begun)) this.show(stream, begun, lines, now);
    }
    return lines;
  }

  /** Whether a line was begun that `takeUnended` would show in time. */
  get unended(): boolean {
    for (const { kept } of this.begun.values()) if (kept > 0) return true;
    return false;
  }

  /** Shows what has no end: its source has ended. */
  flush(): AssembledLine[] {
    const lines: AssembledLine[] = [];
    for (const [stream, begun] of this.begun) {
      if (begun.kept > 0) this.finish(stream, begun, lines);
    }
    this.begun.clear();
    return lines;
  }

  /** Forgets what has no end: it will be read again from its beginning. */
  discard(): void {
    this.begun.clear();
  }

  private takePiece({ stream, time, nanos, data }: LogPiece, now: number, lines: AssembledLine[]): void {
    let from = 0;
    for (;;) {
      const end = data.indexOf(LINE_END, from);
      const begun = this.begun.get(stream);
      if (end < 0) {
        if (from < data.length) this.keep(stream, begun, data.subarray(from), { time, nanos }, now);
        return;
      }
      if (begun) {
        if (begun.kept === 0) Object.assign(begun, { time, nanos });
        add(begun, data.subarray(from, end));
        this.begun.delete(stream);
        this.finish(stream, begun, lines);
      } else {
        const { text, cut } = lineText(data, from, withoutReturn(data, from, end));
        lines.push(this.lineOf(stream, time, nanos, text, cut));
      }
      from = end + 1;
    }
  }

  private keep(
    stream: LogStream | null,
    begun: Begun | undefined,
    bytes: Buffer,
    at: Moment,
    now: number,
  ): void {
    const line = begun ?? { ...at, parts: [], kept: 0, beyond: 0, since: now, shown: false };
    if (line.kept === 0) Object.assign(line, at, { since: now });
    add(line, bytes);
    this.begun.set(stream, line);
  }

  private show(stream: LogStream | null, begun: Begun, lines: AssembledLine[], now: number): void {
    lines.push(this.lineOfBegun(stream, begun, Buffer.concat(begun.parts)));
    Object.assign(begun, { parts: [], kept: 0, beyond: 0, since: now, shown: true });
  }

  private finish(stream: LogStream | null, begun: Begun, lines: AssembledLine[]): void {
    const bytes = begun.parts.length === 1 ? begun.parts[0] : Buffer.concat(begun.parts);
    const whole = bytes ?? Buffer.alloc(0);
    // The end of what was shown already is no line of its own.
    if (begun.shown && withoutReturn(whole, 0, whole.length) === 0) return;
    const end = begun.beyond > 0 ? whole.length : withoutReturn(whole, 0, whole.length);
    lines.push(this.lineOfBegun(stream, begun, whole, end));
  }

  private lineOfBegun(
    stream: LogStream | null,
    { time, nanos, beyond, shown }: Begun,
    bytes: Buffer,
    end = bytes.length,
  ): AssembledLine {
    const { text, cut } = lineText(bytes, 0, end, beyond);
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
    const level = this.levels.of(stream, continues, text, levelOf);
    return { time, nanos, stream, level, text, cut, continues };
  }
}

/** Terminals end lines with a carriage return before the line end. */
function withoutReturn(data: Buffer, from: number, end: number): number {
  return end > from && data[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
}

function patienceWith({ kept, beyond }: Begun): number {
  return (kept + beyond) % PIECE_BYTES === 0 ? CUT_MS : UNENDED_MS;
}

function add(begun: Begun, bytes: Buffer): void {
  const room = Math.max(0, MAX_LINE_BYTES - begun.kept);
  const taken = Math.min(room, bytes.length);
  // A copy, since a part of an engine's buffer would keep all of it in memory.
  if (taken > 0) begun.parts.push(Buffer.from(bytes.subarray(0, taken)));
  begun.kept += taken;
  begun.beyond += bytes.length - taken;
}
