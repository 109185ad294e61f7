import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

/** Pauses between attempts, each twice as long as the one before: 1 s to 30 s where nothing else is said. */
export class Pause {
  private next: number;

  constructor(
    private readonly firstMs = FIRST_MS,
    private readonly longestMs = LONGEST_MS,
  ) {
    this.next = firstMs;
  }

  /** Resolves after the pause, or at once when the signal is given. */
  async wait(signal: AbortSignal): Promise<void> {
    const pause = this.next;
    this.next = Math.min(this.next * 2, this.longestMs);
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** What was tried went well for a while. */
  reset(): void {
    this.next = this.firstMs;
  }
}
