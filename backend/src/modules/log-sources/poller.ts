/** Looks that are asked for within this time after one become one. The first after it is made at once: some containers live no longer. */
const GATHER_MS = 100;
/** After a look that failed. */
const AGAIN_MS = 1000;

/** Calls a look whenever one is asked for: one at a time, and once more where one was asked for meanwhile. */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private looks = false;
  private asked = 0;
  private endedAt = Number.NEGATIVE_INFINITY;

  /** @param look may throw: then nothing was seen. */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
  }

  /** Asks for a look: at once after a while of quiet, else soon. One that fails is tried again. */
  soon(): void {
    this.asked += 1;
    this.begin(this.endedAt + GATHER_MS - performance.now());
  }

  /** Looks now, unless somebody does. @throws what the look throws */
  async atOnce(): Promise<void> {
    this.asked += 1;
    if (this.looks) return;
    this.looks = true;
    const asked = this.asked;
    try {
      await this.look();
    } finally {
      this.looks = false;
      this.endedAt = performance.now();
      if (this.asked > asked) this.soon();
    }
  }

  private begin(afterMs: number): void {
    if (this.looks || this.timer || this.signal.aborted) return;
    const look = (): void => {
      this.timer = undefined;
      this.atOnce().catch(() => this.begin(AGAIN_MS));
    };
    if (afterMs <= 0) look();
    else this.timer = setTimeout(look, afterMs).unref();
  }
}
