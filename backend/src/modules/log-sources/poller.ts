import { guarded } from '../../core/errors/index.js';
/** Polls scheduled within this time after a poll become one. Otherwise a poll runs immediately: some containers live only briefly. */
const DEBOUNCE_MS = 100;
/** Delay after a failed poll. */
const RETRY_MS = 1000;

/** Runs one poll at a time, and another one if it was scheduled meanwhile. */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private requests = 0;
  private endedAt = Number.NEGATIVE_INFINITY;

  /** @param poll may throw; it is retried then */
  constructor(
    private readonly poll: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
  }

  /** Polls immediately, or soon if the last poll was just before. Retries if it fails. */
  schedule(): void {
    this.requests += 1;
    this.start(this.endedAt + DEBOUNCE_MS - performance.now());
  }

  /** Polls now, unless a poll is running. @throws what the poll throws */
  async pollNow(): Promise<void> {
    this.requests += 1;
    if (this.isPolling) return;
    this.isPolling = true;
    const requests = this.requests;
    try {
      await this.poll();
    } finally {
      this.isPolling = false;
      this.endedAt = performance.now();
      if (this.requests > requests) this.schedule();
    }
  }

  private start(afterMs: number): void {
    if (this.isPolling || this.timer || this.signal.aborted) return;
    const retry = (): void => this.start(RETRY_MS);
    const poll = guarded(async () => {
      this.timer = undefined;
      await this.pollNow();
    }, retry);
    if (afterMs <= 0) poll();
    else this.timer = setTimeout(poll, afterMs).unref();
  }
}
