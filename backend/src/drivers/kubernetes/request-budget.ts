import { setTimeout as wait } from 'node:timers/promises';

/** Limits the requests per second of one client, so that a shared API server is not overloaded by it. */
export class RequestBudget {
  private tokens: number;
  private countedAt: number;

  /** @param perSecond on average; a burst may have twice as many */
  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.tokens = perSecond * 2;
    this.countedAt = now();
  }

  /** Waits for its turn. @throws the reason of the signal */
  async take(signal: AbortSignal): Promise<void> {
    const at = this.now();
    this.tokens = Math.min(this.perSecond * 2, this.tokens + ((at - this.countedAt) / 1000) * this.perSecond);
    this.countedAt = at;
    this.tokens -= 1;
    if (this.tokens >= 0) return;
    try {
      await wait((-this.tokens / this.perSecond) * 1000, undefined, { signal });
    } catch {
      this.tokens += 1;
      throw signal.reason as Error;
    }
  }
}
