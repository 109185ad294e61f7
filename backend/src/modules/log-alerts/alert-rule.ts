import type { LogLine, SourceIdentity } from '../../drivers/log-store/index.js';
import type { Alert } from './alert.js';
import { LineMatch } from './line-match.js';
import { SlidingWindow } from './sliding-window.js';

/** What is older, beside its window, is no live line: it was written while nobody read. */
const LIVE_MS = 60_000;

/** A source whose lines are looked at. */
export type ObservedSource = SourceIdentity & { id: number };

/** A line with the source that it is of. */
export interface SourceLine {
  source: ObservedSource;
  line: LogLine;
}

/** A rule at work: what it counted, and when it may fire again. */
export class AlertRule {
  readonly match: LineMatch;
  private readonly window: SlidingWindow;
  private quietUntil: number;
  /** Lines that it did not look at. */
  missed = 0;

  constructor(readonly alert: Alert) {
    this.match = new LineMatch(alert.query);
    this.window = new SlidingWindow(alert.window_seconds);
    this.quietUntil =
      alert.last_fired_at === null ? 0 : Date.parse(alert.last_fired_at) + alert.quiet_seconds * 1000;
  }

  /**
   * Counts a line that fits.
   * @returns whether the rule fires with it; it then keeps quiet for its time.
   */
  count({ time }: LogLine): boolean {
    const now = Date.now();
    // A clock that is ahead does not push what comes after it out of the window.
    const at = Math.min(time / 1000, now);
    if (at < now - LIVE_MS - this.alert.window_seconds * 1000) return false;
    this.window.add(at);
    if (this.window.count < this.alert.threshold || now < this.quietUntil) return false;
    this.quietUntil = now + this.alert.quiet_seconds * 1000;
    return true;
  }

  /** How many lines lie in the window of the newest of them. */
  get counted(): number {
    return this.window.count;
  }

  /** Whether its threshold is reached in the window that ends now. */
  isFiring(): boolean {
    return this.countNow() >= this.alert.threshold;
  }

  /** How many lie in the window that ends now. */
  countNow(): number {
    return this.window.countAt(Date.now());
  }
}
