/** Looks that are asked for within this time become one. */
const GATHER_MS = 100;
/** After a look that failed. */
const AGAIN_MS = 1000;

/** Calls a look whenever one is asked for: soon, one at a time, and once more where one was asked for meanwhile. */
export class Looking {
  private timer: NodeJS.Timeout | undefined;
  private looks = false;
  private asked = 0;

  /** @param look may throw: then nothing was seen. */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => clearTimeout(this.timer), { once: true });
  }

  /** Asks for a look. One that fails is tried again. */
  soon(afterMs = GATHER_MS): void {
    this.asked += 1;
    if (this.looks || this.timer || this.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.atOnce().catch(() => this.soon(AGAIN_MS));
    }, afterMs);
    this.timer.unref();
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
      if (this.asked > asked) this.soon();
    }
  }
}
