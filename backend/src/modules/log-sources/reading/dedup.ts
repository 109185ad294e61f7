import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { AssembledLine } from '../../log-lines/index.js';

/** How many lines are remembered. Docker was seen to tell a few dozen again. */
const MOST = 4096;
/** Lines of two streams may be this much out of their order. */
const DISORDER_US = 100_000;
/** What is further behind and was never told before was written after the clock was set back. */
const SET_BACK_US = 1_000_000;

/**
 * Leaves out what an engine tells again while it is followed. Docker does so when it begins a new file of a container's
 * log: what it read last comes once more, with its own times (Docker Engine 20.10, `docker logs --follow` too).
 *
 * What repeats goes back in time, and is known by its time and text. The line that came last may be the only one that
 * comes again: then its nanoseconds tell, and two like lines of one microsecond without any are no repetition.
 */
export class Dedup {
  private readonly times: number[] = [];
  private readonly hashes: number[] = [];
  private next = 0;
  /** Where the last repeated line was found: the next one is behind it. */
  private found = 0;
  private newest = -Infinity;
  private newestNanos = -1;
  private repeating = false;

  /** Of lines as they come, those that are not told again. */
  without(lines: readonly AssembledLine[]): NewLogLine[] {
    const once: NewLogLine[] = [];
    for (const line of lines) if (!this.isRepeated(line)) once.push(line);
    return once;
  }

  private isRepeated({ time, nanos, text }: AssembledLine): boolean {
    const again = time === this.newest && (nanos === undefined ? this.repeating : nanos <= this.newestNanos);
    if (time < this.newest || again) {
      if (this.isKnown(time, text)) {
        this.repeating = true;
        return true;
      }
      if (time < this.newest - SET_BACK_US) this.newest = time;
    } else if (time > this.newest) {
      this.repeating = false;
      this.newest = time;
    }
    if (time === this.newest) this.newestNanos = nanos ?? -1;
    this.times[this.next] = time;
    this.hashes[this.next] = hashOf(text);
    this.next = (this.next + 1) % MOST;
    return false;
  }

  private isKnown(time: number, text: string): boolean {
    const hash = hashOf(text);
    const isAt = (at: number): boolean => this.times[at] === time && this.hashes[at] === hash;
    const behind = (this.found + 1) % MOST;
    if (this.repeating && isAt(behind)) {
      this.found = behind;
      return true;
    }
    for (let back = 1; back <= this.times.length; back += 1) {
      const at = (this.next - back + MOST) % MOST;
      if (isAt(at)) {
        this.found = at;
        return true;
      }
      if ((this.times[at] ?? -Infinity) < time - DISORDER_US) return false;
    }
    return false;
  }
}

/** FNV-1a of a text's beginning and its length: the text itself, or a part of it, would stay in memory. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let at = 0; at < Math.min(text.length, 200); at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}
