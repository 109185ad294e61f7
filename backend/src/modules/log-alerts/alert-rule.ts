import type { LogLine, SourceIdentity } from '../../drivers/log-store/index.js';
import { SlidingWindow } from '../log-sources/index.js';
import type { Alert } from './alert.store.js';
import { LineMatch } from './line-match.js';

/** Lines older than this plus the window are not live: they were written while Slipway was not reading. */
const LIVE_MS = 60_000;

export type ObservedSource = SourceIdentity & { id: number };

export interface SourceLine {
  source: ObservedSource;
  line: LogLine;
}

/** The settings that decide when an alert fires. */
export type AlertCondition = Pick<
  Alert,
  'query' | 'threshold' | 'window_seconds' | 'quiet_seconds' | 'last_fired_at'
>;

/** Counts the lines of an alert and decides when it fires. */
export class AlertRule<TAlert extends AlertCondition = Alert> {
  readonly match: LineMatch;
  private readonly window: SlidingWindow;
  private quietUntil: number;
  /** Lines that were skipped because they arrived too fast for the regex. */
  missed = 0;

  constructor(readonly alert: TAlert) {
    this.match = new LineMatch(alert.query);
    this.window = new SlidingWindow(alert.window_seconds);
    this.quietUntil =
      alert.last_fired_at === null ? 0 : Date.parse(alert.last_fired_at) + alert.quiet_seconds * 1000;
  }

  /**
   * Counts a matching line.
   * @param now when it arrives, in milliseconds
   * @returns whether the alert fires; it then stays quiet for `quiet_seconds`.
   */
  count({ time }: Pick<LogLine, 'time'>, now = Date.now()): boolean {
    // A line from a clock that is ahead must not push later lines out of the window.
    const at = Math.min(time / 1000, now);
    if (at < now - LIVE_MS - this.alert.window_seconds * 1000) return false;
    this.window.forgetFuture(now);
    this.window.add(at);
    const quietMs = this.alert.quiet_seconds * 1000;
    // It is not quiet for longer if the clock was set back.
    const isQuiet = now < this.quietUntil && now >= this.quietUntil - quietMs;
    if (this.window.count < this.alert.threshold || isQuiet) return false;
    this.quietUntil = now + quietMs;
    return true;
  }

  /** Lines in the window that ends with the newest line. */
  get counted(): number {
    return this.window.count;
  }

  isFiring(): boolean {
    return this.countNow() >= this.alert.threshold;
  }

  /** Lines in the window that ends now. */
  countNow(): number {
    return this.window.countAt(Date.now());
  }
}
