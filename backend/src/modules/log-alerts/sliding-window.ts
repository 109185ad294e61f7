/** Resolution: the start of the window is exact to 1/1000 of its length. */
const PARTS = 1000;

/** Counts events within a time window in constant memory. Events may arrive in any order. */
export class SlidingWindow {
  private readonly counts = new Float64Array(PARTS);
  private readonly partMs: number;
  /** Index of the newest part since the epoch. */
  private newest = -1;
  private sum = 0;

  constructor(seconds: number) {
    this.partMs = (seconds * 1000) / PARTS;
  }

  /** @param time in milliseconds; events before the window are ignored. */
  add(time: number): void {
    const part = Math.floor(time / this.partMs);
    this.moveTo(part);
    if (part <= this.newest - PARTS) return;
    const slot = part % PARTS;
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
    this.sum += 1;
  }

  /** Events in the window that ends with the newest one. */
  get count(): number {
    return this.sum;
  }

  /** Events in the window that ends at a time, or at the newest event if that is later. */
  countAt(time: number): number {
    this.moveTo(Math.floor(time / this.partMs));
    return this.sum;
  }

  private moveTo(part: number): void {
    if (part <= this.newest) return;
    if (part - this.newest >= PARTS) {
      this.counts.fill(0);
      this.sum = 0;
    } else {
      for (let passed = this.newest + 1; passed <= part; passed += 1) {
        const slot = passed % PARTS;
        this.sum -= this.counts[slot] ?? 0;
        this.counts[slot] = 0;
      }
    }
    this.newest = part;
  }
}
