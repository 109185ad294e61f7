/** Counts events within a time window in constant memory. Events may arrive in any order. */
export class SlidingWindow {
  private readonly counts: Float64Array;
  private readonly partMs: number;
  /** Index of the newest part since the epoch. */
  private newest = -1;
  private sum = 0;

  /** @param parts resolution: the start of the window is exact to this part of its length */
  constructor(
    seconds: number,
    private readonly parts = 1000,
  ) {
    this.counts = new Float64Array(parts);
    this.partMs = (seconds * 1000) / parts;
  }

  /** @param time in milliseconds; events before the window are ignored. */
  add(time: number, events = 1): void {
    const part = Math.floor(time / this.partMs);
    this.moveTo(part);
    if (part <= this.newest - this.parts) return;
    const slot = part % this.parts;
    this.counts[slot] = (this.counts[slot] ?? 0) + events;
    this.sum += events;
  }

  /** Events in the window that ends with the newest one. */
  get count(): number {
    return this.sum;
  }

  /** Events in the window that ends now, or at the newest event if that is later. */
  countAt(now: number): number {
    this.forgetFuture(now);
    this.moveTo(Math.floor(now / this.partMs));
    return this.sum;
  }

  /** Starts again if the newest event is ahead by more than the window: the clock was set back. */
  forgetFuture(now: number): void {
    if (this.newest - this.parts <= Math.floor(now / this.partMs)) return;
    this.counts.fill(0);
    this.sum = 0;
    this.newest = -1;
  }

  private moveTo(part: number): void {
    if (part <= this.newest) return;
    if (part - this.newest >= this.parts) {
      this.counts.fill(0);
      this.sum = 0;
    } else {
      for (let passed = this.newest + 1; passed <= part; passed += 1) {
        const slot = passed % this.parts;
        this.sum -= this.counts[slot] ?? 0;
        this.counts[slot] = 0;
      }
    }
    this.newest = part;
  }
}
