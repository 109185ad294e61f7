import type { Level } from '../../drivers/log-store/index.js';
import type { LogStream } from '../../drivers/runtime/index.js';
import { levelOf } from './level.js';

/** A line that is written later than this after the previous one starts a new entry. */
const MAX_GAP_US = 2_000_000;
/** Limits the entries of programs that indent all lines. */
const MAX_LINES = 500;

interface Previous {
  time: number;
  /** Lines of the entry so far. */
  count: number;
  /** Whether the entry is a stack trace, whose frames are not all indented. */
  trace: boolean;
  level: Level | null;
}

/** Lines of a stack trace that are not indented. */
const TRACE_CONTINUES =
  /^(?:Caused by: |Suppressed: |\.\.\. \d+ (?:more|common frames)|goroutine \d+ \[|During handling of the above |The above exception |created by |exit status \d|--- End of )/;
const TRACE_STARTS =
  /^(?:Traceback \(most recent call last\)|panic: |fatal error: |Exception in thread |goroutine \d+ \[|thread '[^']{0,100}' panicked at |stack backtrace:|Unhandled exception)/;
/** The last line of a Python trace, and a function in a Go trace. */
const EXCEPTION = /^[\w.$]{1,200}(?:Error|Exception|Warning|Exit|Interrupt|Timeout|Iteration)(?:$|: |:$)/;
const GO_FUNCTION = /^[\w./*()-]{1,300}\([^)]{0,300}\)$/;
/** The last line of an object that is printed over several lines. */
const CLOSING = /^[\])}]{1,3}[,;]?$/;

/**
 * Detects continuation lines, such as the frames of a stack trace. It compares a line only with the previous one of the
 * same stream, so no line waits for the next one.
 */
export class LineGrouping {
  private readonly previous = new Map<LogStream | null, Previous>();

  /** Whether a line continues the previous one. Call it once per line, in order. */
  continues(stream: LogStream | null, time: number, text: string): boolean {
    const previous = this.previous.get(stream);
    const near = previous !== undefined && Math.abs(time - previous.time) <= MAX_GAP_US;
    const belongs = near && previous.count < MAX_LINES && isContinuation(previous, text);
    const count = belongs ? previous.count + 1 : 1;
    const trace = belongs ? previous.trace || startsFrame(text) : TRACE_STARTS.test(text);
    // Reused, to avoid an allocation per line.
    if (previous) {
      previous.time = time;
      previous.count = count;
      previous.trace = trace;
    } else this.previous.set(stream, { time, count, trace, level: null });
    return belongs;
  }

  /**
   * The level of the line that was passed to `continues` last. Continuation lines have the level of the first line, so
   * that a search for errors also finds stack frames.
   * @param own detects the level of a first line
   */
  level(stream: LogStream | null, continues: boolean, text: string, own = levelOf): Level | null {
    const entry = this.previous.get(stream);
    if (entry && !continues) entry.level = own(text);
    return entry?.level ?? null;
  }
}

function isContinuation({ trace, count }: Previous, text: string): boolean {
  const first = text.charCodeAt(0);
  if (Number.isNaN(first)) return trace;
  if (first === 0x20 || first === 0x09) return text.trim() !== '';
  if (TRACE_CONTINUES.test(text)) return true;
  if (count > 1 && CLOSING.test(text)) return true;
  return trace && (EXCEPTION.test(text) || GO_FUNCTION.test(text) || TRACE_STARTS.test(text));
}

/** An indented frame turns the entry into a trace: Java and Node start theirs with only the message. */
function startsFrame(text: string): boolean {
  return /^\s{1,20}(?:at |File "|#\d+ |\/)/.test(text);
}
