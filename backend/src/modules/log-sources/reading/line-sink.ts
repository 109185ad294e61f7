import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { KnownLine } from './resumption.js';

/** Where readers put what they read. */
export interface LineSink {
  /** Keeps lines of a source, and tells them to whoever follows it. */
  append(source: number, lines: readonly NewLogLine[]): void;

  /** Resolves when more can be taken. */
  room(): Promise<void>;

  /** Time of the newest line of a source, in microseconds; null where nothing of it was ever taken in. */
  lastTime(source: number): number | null;

  /**
   * When what was kept of a source was deleted, in microseconds: what was written by then does not come back. Null where
   * it was not.
   */
  deletedAt(source: number): number | null;

  /** What was taken in of a source from a time on, in microseconds. */
  since(source: number, time: number): Promise<KnownLine[]>;
}

/** The same, with a look at what is kept of any time. */
export interface StoredLines extends LineSink {
  /** What was taken in of a source from one time to another, both inclusive, in microseconds. */
  between(source: number, from: number, to: number): Promise<KnownLine[]>;
}
