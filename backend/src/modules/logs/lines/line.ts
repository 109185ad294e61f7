import type { LogStream } from '../../../drivers/runtime/index.js';

export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type Level = (typeof LEVELS)[number];

export const STREAMS = ['stdout', 'stderr'] as const satisfies readonly LogStream[];

/** A line of a source, as it was taken in. */
export interface NewLine {
  /** Microseconds since the epoch. */
  time: number;
  stream: LogStream | null;
  /** Null where nothing in it names one. What belongs to the line before it has that line's. */
  level: Level | null;
  /**
   * Without its end. Bytes that are no UTF-8 are shown as `\xNN`, NUL as `\0`; escapes of terminals are kept. At most
   * MAX_LINE characters, with `cut` saying how many more bytes there were.
   */
  text: string;
  cut: number;
  /** Belongs to the line before it, such as a frame of a stack trace. */
  continues: boolean;
}

/** A line that is kept. */
export interface StoredLine extends NewLine {
  /** From 1 on, one by one, never given twice in a source. */
  seq: number;
  /** There where `text` is only the begin of what is kept. */
  shortened?: true;
}

/** Longest text of a line; what is longer is cut, and counted. 1 MB without a line end becomes one of this. */
export const MAX_LINE = 64 * 1024;
