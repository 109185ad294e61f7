import type { LogStream } from '../../drivers/runtime/index.js';

/** What was written later than this after the line before it stands for itself. */
const TOGETHER_US = 2_000_000;
/** A program that indents all that it writes does not make one endless line of it. */
const MOST_TOGETHER = 500;

interface Previous {
  time: number;
  /** Lines that belong together so far. */
  count: number;
  /** Whether it is a part of a stack trace, whose frames are not all indented. */
  trace: boolean;
}

/** What a trace goes on with that is not indented. */
const TRACE_GOES_ON =
  /^(?:Caused by: |Suppressed: |\.\.\. \d+ (?:more|common frames)|goroutine \d+ \[|During handling of the above |The above exception |created by |exit status \d|--- End of )/;
const TRACE_BEGINS =
  /^(?:Traceback \(most recent call last\)|panic: |fatal error: |Exception in thread |goroutine \d+ \[|thread '[^']{0,100}' panicked at |stack backtrace:|Unhandled exception)/;
/** The last line of a trace of Python, and a function in one of Go. */
const EXCEPTION = /^[\w.$]{1,200}(?:Error|Exception|Warning|Exit|Interrupt|Timeout|Iteration)(?:$|: |:$)/;
const GO_FUNCTION = /^[\w./*()-]{1,300}\([^)]{0,300}\)$/;
/** What closes an object that was printed over several lines. */
const CLOSING = /^[\])}]{1,3}[,;]?$/;

/**
 * Decides which lines belong to the one before them, such as the frames of a stack trace. It looks at a line and its
 * predecessor of the same stream alone, so that no line has to wait for the next one.
 */
export class LineGrouping {
  private readonly previous = new Map<LogStream | null, Previous>();

  /** Whether a line continues the one before it. To be called once for each line, in order. */
  continues(stream: LogStream | null, time: number, text: string): boolean {
    const previous = this.previous.get(stream);
    const near = previous !== undefined && Math.abs(time - previous.time) <= TOGETHER_US;
    const belongs = near && previous.count < MOST_TOGETHER && goesOn(previous, text);
    const count = belongs ? previous.count + 1 : 1;
    const trace = belongs ? previous.trace || startsFrame(text) : TRACE_BEGINS.test(text);
    // One for each stream, and not one for each line.
    if (previous) {
      previous.time = time;
      previous.count = count;
      previous.trace = trace;
    } else this.previous.set(stream, { time, count, trace });
    return belongs;
  }
}

function goesOn({ trace, count }: Previous, text: string): boolean {
  const first = text.charCodeAt(0);
  if (Number.isNaN(first)) return trace;
  if (first === 0x20 || first === 0x09) return text.trim() !== '';
  if (TRACE_GOES_ON.test(text)) return true;
  if (count > 1 && CLOSING.test(text)) return true;
  return trace && (EXCEPTION.test(text) || GO_FUNCTION.test(text) || TRACE_BEGINS.test(text));
}

/** An indented frame makes a trace of the line before it: Java and Node begin theirs with the message alone. */
function startsFrame(text: string): boolean {
  return /^\s{1,20}(?:at |File "|#\d+ |\/)/.test(text);
}
