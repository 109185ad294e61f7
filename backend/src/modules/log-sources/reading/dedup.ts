import type { NewLogLine } from '../../../drivers/log-store/index.js';
import type { AssembledLine } from '../../log-lines/index.js';

/** How many lines are remembered. Docker was observed to repeat a few dozen. */
const CAPACITY = 4096;
/** How far the lines of two streams may be out of order. */
const DISORDER_US = 100_000;
/** An unknown line that is further back was written after the clock was set back. */
const SET_BACK_US = 1_000_000;

/**
 * Filters out lines that an engine repeats while a log is followed. Docker sends the last lines again, with their
 * original times, when it rotates a container's log (Docker Engine 20.10, also `docker logs --follow`).
 *
 * Repeated lines go back in time and are recognized by time and text. If only the last line is repeated, its nanoseconds
 * decide. Without nanoseconds, two identical lines of one microsecond count as different lines.
 */
export class Dedup {
  private readonly times: number[] = [];
  private readonly hashes: number[] = [];
  private next = 0;
  /** Position of the last repeated line. The next one follows it. */
  private found = 0;
  private newest = -Infinity;
  private newestNanos = -1;
  private repeating = false;

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
    this.next = (this.next + 1) % CAPACITY;
    return false;
  }

  private isKnown(time: number, text: string): boolean {
    const hash = hashOf(text);
    const isAt = (at: number): boolean => this.times[at] === time && this.hashes[at] === hash;
    const behind = (this.found + 1) % CAPACITY;
    if (this.repeating && isAt(behind)) {
      this.found = behind;
      return true;
    }
    for (let back = 1; back <= this.times.length; back += 1) {
      const at = (this.next - back + CAPACITY) % CAPACITY;
      if (isAt(at)) {
        this.found = at;
        return true;
      }
      if ((this.times[at] ?? -Infinity) < time - DISORDER_US) return false;
    }
    return false;
  }
}

/** FNV-1a of the start of a text and its length: a substring would keep the whole text in memory. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  for (let at = 0; at < Math.min(text.length, 200); at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}
