const WINDOW_SECONDS = 10;

/** Measures lines per second over the last 10 s. */
export class RateMeter {
  private readonly counts = new Array<number>(WINDOW_SECONDS).fill(0);
  /** The second of the newest count. */
  private second = 0;
  private total = 0;

  /** @param now in milliseconds */
  count(lines: number, now: number): void {
    this.moveTo(now);
    const place = this.second % WINDOW_SECONDS;
    this.counts[place] = (this.counts[place] ?? 0) + lines;
    this.total += lines;
  }

  /** Lines per second, with one decimal. */
  rate(now: number): number {
    this.moveTo(now);
    return Math.round((this.total / WINDOW_SECONDS) * 10) / 10;
  }

  private moveTo(now: number): void {
    const second = Math.floor(now / 1000);
    const behind = Math.min(second - this.second, WINDOW_SECONDS);
    for (let step = 1; step <= behind; step += 1) {
      const place = (this.second + step) % WINDOW_SECONDS;
      this.total -= this.counts[place] ?? 0;
      this.counts[place] = 0;
    }
    if (behind === WINDOW_SECONDS) {
      this.counts.fill(0);
      this.total = 0;
    }
    if (second > this.second) this.second = second;
  }
}
