/** Into so many parts a window is divided: what is counted at its far edge is exact to one of them. */
const PARTS = 1000;

/**
 * Counts what happened within the last seconds, in memory that does not grow with it. Times may come in any order.
 * A part of the window, a thousandth, is counted or left out whole.
 */
export class SlidingWindow {
  private readonly counts = new Float64Array(PARTS);
  private readonly partMs: number;
  /** Number of the newest part that was counted in, since the epoch. */
  private newest = -1;
  private sum = 0;

  constructor(seconds: number) {
    this.partMs = (seconds * 1000) / PARTS;
  }

  /** Counts one at a time, in milliseconds; what lies before the window that ends with the newest is left out. */
  add(time: number): void {
    const part = Math.floor(time / this.partMs);
    this.moveTo(part);
    if (part <= this.newest - PARTS) return;
    const slot = part % PARTS;
    this.counts[slot] = (this.counts[slot] ?? 0) + 1;
    this.sum += 1;
  }

  /** How many lie within the window that ends with the newest of them. */
  get count(): number {
    return this.sum;
  }

  /** How many lie within the window that ends then, or later where a newer one was counted. */
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
