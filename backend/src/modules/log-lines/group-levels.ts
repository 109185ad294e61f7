import type { LogStream } from '../../drivers/runtime/index.js';
import type { Level } from '../../drivers/log-store/index.js';

/**
 * The levels of lines that belong together: what a stack trace goes on with has the level of its first line, so that
 * whoever looks for errors finds the frames too.
 */
export class GroupLevels {
  private readonly levels = new Map<LogStream | null, Level | null>();

  /** To be called once for each line, in order. @param own reads what a line itself says, where that counts */
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
