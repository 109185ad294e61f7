import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { KnownLine } from './resumption.js';

/** Where readers store lines. */
export interface LineSink {
  append(source: number, lines: readonly NewLogLine[]): void;

  /** Resolves when it can accept more lines. */
  room(): Promise<void>;

  /** Time of the newest line of a source, in microseconds; null if none was ever stored. */
  lastTime(source: number): number | null;

  /**
   * When the stored lines of a source were deleted, in microseconds: older lines are not stored again. Null if they never
   * were.
   */
  deletedAt(source: number): number | null;

  /** Stored lines of a source from one time to another, both inclusive, in microseconds. */
  between(source: number, from: number, to?: number): Promise<KnownLine[]>;
}
