import type { LogStream } from '../../drivers/runtime/index.js';
import type { Level } from '../../drivers/log-store/index.js';

/**
 * The levels of multi-line entries: continuation lines have the level of the first line, so that a search for errors
 * also finds stack frames.
 */
export class GroupLevels {
  private readonly levels = new Map<LogStream | null, Level | null>();

  /** Call it once per line, in order. @param own detects the level of a first line */
  of(
    stream: LogStream | null,
    continues: boolean,
    text: string,
    own: (text: string) => Level | null,
  ): Level | null {
    if (continues) return this.levels.get(stream) ?? null;
    const level = own(text);
    this.levels.set(stream, level);
    return level;
  }
}
