import { levelOfName } from '../../core/search/index.js';
import type { Level } from '../../drivers/log-store/index.js';
import type { LogStream } from '../../drivers/runtime/index.js';
import { levelOf } from './level.js';
import {
  beginsWithTime,
  endsTrace,
  isClosing,
  isException,
  isFrame,
  isGoName,
  opensBlock,
  startsTrace,
} from './trace-lines.js';

/** A line that is written later than this after the previous one starts a new entry, unless it is a frame. */
const MAX_GAP_US = 2_000_000;
const MAX_FRAME_GAP_US = 60_000_000;
/** Limits the entries of programs that indent all lines. */
const MAX_LINES = 500;
/** How much of an object that is printed over several lines is searched for its level. */
const MAX_OBJECT_LENGTH = 8192;

interface Entry {
  time: number;
  /** Lines of the entry so far. */
  count: number;
  /** Whether the entry is a stack trace, whose frames are not all indented. */
  trace: boolean;
  level: Level | null;
  /** The previous line, empty lines apart. */
  last: string;
  /** Whether an empty line came after it. */
  gap: boolean;
  /** Whether its first line announces others. */
  open: boolean;
  /** The object so far that the entry prints, while its level is unknown. */
  object: string | null;
}

/** Values that the first line replaces. */
const NEW = { trace: false, last: '', open: false, object: null };

/**
 * Detects continuation lines, such as the frames of a stack trace. It compares a line only with the previous ones of the
 * same stream, so no line waits for the next one.
 */
export class LineGrouping {
  private readonly entries = new Map<LogStream | null, Entry>();

  /** Whether a line continues the previous one. Call it once per line, in order. */
  continues(stream: LogStream | null, time: number, text: string): boolean {
    const entry = this.entries.get(stream);
    if (!entry) {
      const entry = { time, count: 1, level: null, gap: false, ...NEW };
      begin(entry, text);
      this.entries.set(stream, entry);
      return false;
    }
    const belongs = entry.count < MAX_LINES && belongsTo(entry, text, Math.abs(time - entry.time));
    entry.time = time;
    entry.count = belongs ? entry.count + 1 : 1;
    // Frames behind an empty line still belong to the line before it.
    entry.gap = isEmpty(text);
    if (entry.gap) return belongs;
    if (!belongs) begin(entry, text);
    else {
      entry.trace ||= isFrame(text) || startsTrace(text);
      entry.last = text;
      if (entry.object !== null) entry.object += `\n${text}`;
    }
    return belongs;
  }

  /**
   * The level of the line that was passed to `continues` last. Continuation lines have the level of the first line, so
   * that a search for errors also finds stack frames.
   * @param own detects the level of a first line
   */
  level(stream: LogStream | null, continues: boolean, text: string, own = levelOf): Level | null {
    const entry = this.entries.get(stream);
    if (!entry || (isEmpty(text) && !continues)) return null;
    if (!continues) entry.level = own(text) ?? (startsTrace(text) || isException(text) ? 'error' : null);
    else if (entry.object !== null && entry.level === null) entry.level = levelOf(entry.object);
    if (entry.level !== null || (entry.object?.length ?? 0) > MAX_OBJECT_LENGTH) entry.object = null;
    return entry.level;
  }
}

function begin(entry: Entry, text: string): void {
  entry.trace = startsTrace(text);
  entry.last = text;
  entry.open = /[:-]\s{0,8}$/.test(text.slice(-9));
  entry.object = text.startsWith('{') && text.trimEnd() === '{' ? text : null;
}

function isEmpty(text: string): boolean {
  return text === '' || (text.length < 40 && text.trim() === '');
}

function belongsTo(entry: Entry, text: string, gap: number): boolean {
  const { trace, last, level } = entry;
  const reports = level === 'error' || level === 'fatal' || level === 'warn';
  if (isEmpty(text)) return (trace || reports) && gap <= MAX_GAP_US;
  if (isFrame(text)) return gap <= MAX_FRAME_GAP_US;
  const first = text.charCodeAt(0);
  if (first === 0x20 || first === 0x09) {
    if (gap > (trace ? MAX_FRAME_GAP_US : MAX_GAP_US)) return false;
    return !startsEntry(text, last) && (trace || !entry.gap);
  }
  if (entry.count > 1 && isClosing(text)) return gap <= MAX_GAP_US;
  if (trace) return gap <= MAX_FRAME_GAP_US && endsTrace(text, last);
  if (gap > MAX_GAP_US) return false;
  // An object that is printed over several lines without indentation.
  if ((first === 0x22 || first === 0x5d) && opensBlock(last)) return true;
  // Below a message that ends with a colon or a dash.
  if (entry.open && level !== null && (reports || !entry.gap) && !isOther(text)) return true;
  // Programs write the exception below the message.
  return reports && (isException(text) || startsTrace(text) || isGoName(text));
}

/** Whether a line without indentation begins an entry. */
function isOther(text: string): boolean {
  return beginsWithTime(text) || text.startsWith('{') || levelOf(text) !== null;
}

/** Whether an indented line begins an entry: it has a time, a level as logs write it, or an object of its own. */
function startsEntry(text: string, last: string): boolean {
  const rest = text.slice(0, 200).replaceAll(COLOR, '').trimStart();
  if (beginsWithTime(rest)) return true;
  if (rest.startsWith('{')) {
    return /\}\s*$/.test(text.slice(-8)) && (levelOf(text) !== null || !opensBlock(last));
  }
  if (OWN_LEVEL.test(rest)) return levelOf(rest) !== null;
  // In lowercase, it may be a field: `  error: refused`.
  const word = /^[[<]?([A-Z]{3,13}|[IWEF]\d{4})\b/.exec(rest)?.[1];
  if (word === undefined || (/^[A-Z]+$/.test(word) && levelOfName(word) === null)) return false;
  return levelOf(rest) !== null && !DOTNET_HEAD.test(last);
}

/** logfmt, `[error]`, `<3>`, `app.ERROR:`, `web | ERROR` and a Unix time: no text of a message looks so. */
const OWN_LEVEL =
  /^(?:(?:time|ts|level|lvl|severity)=|\[[a-z]{3,9}\] |<[0-7]>|[\w-]{1,40}\.[A-Z]{3,9}: |[\w.-]{1,60} +\| [A-Z]|\d{10}\.\d{1,9} )/;
const COLOR = /\x1b\[[\d;]{0,20}m/g;
/** The console of .NET indents the message below. */
const DOTNET_HEAD = /^\w{4}: \S{1,300}\[\d{1,9}\]$/;
