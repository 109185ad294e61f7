import type { Level } from '../../core/search/index.js';
import type { LogStream } from '../runtime/index.js';

export { LEVELS, STREAMS, type Level } from '../../core/search/index.js';

/** A log line: the one model of it, from the intake to the API. */
export interface LogLine {
  /** Number within its source, from 1 on. A number is never given to two lines of a store. */
  seq: number;
  /** Microseconds since the epoch. */
  time: number;
  /** Null for terminals, Pods and journals, which have no streams. */
  stream: LogStream | null;
  /** Null where the line names no level. A continuation has the level of the line before it. */
  level: Level | null;
  /**
   * Text without its line end. Invalid UTF-8 is shown as `\xNN` and NUL as `\0`; ANSI escapes are kept. At most
   * MAX_LINE_LENGTH UTF-16 units; `cut` counts the bytes that were cut off.
   */
  text: string;
  cut: number;
  /** Whether the line continues the one before it, such as a frame of a stack trace. */
  continues: boolean;
  /** Present where `text` is only the beginning of the stored text, because the reader asked for less. */
  shortened?: true;
}

/** A line before the store has given it a number. */
export type NewLogLine = Omit<LogLine, 'seq' | 'shortened'>;

/** Maximum length of a line in UTF-16 units. Longer lines are cut when they are read. */
export const MAX_LINE_LENGTH = 64 * 1024;

/** Truncates a line's text to a maximum of UTF-16 units, and marks it. */
export function shorten(line: LogLine, maxLength: number): LogLine {
  const { text } = line;
  if (text.length <= maxLength) return line;
  const splitsPair = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800;
  return Object.assign(line, {
    text: text.slice(0, splitsPair ? maxLength - 1 : maxLength),
    shortened: true as const,
  });
}
