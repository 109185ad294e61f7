const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** The signals that a waiting command handles itself. */
export class Interrupts {
  private readonly received: NodeJS.Signals[] = [];
  private wake = (): void => undefined;
  private readonly onSignal = (signal: NodeJS.Signals): void => {
    this.received.push(signal);
    this.wake();
  };

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.onSignal);
  }

  /** The next signal, or undefined if none comes within the time. */
  async next(milliseconds: number): Promise<NodeJS.Signals | undefined> {
    if (this.received.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.received.shift();
  }

  /** The result of `work`, or undefined if a signal comes first, which aborts `work`. */
  async race<TResult>(work: (signal: AbortSignal) => Promise<TResult>): Promise<TResult | undefined> {
    if (this.received.length > 0) return undefined;
    const stop = new AbortController();
    const interrupted = new Promise<undefined>((resolve) => {
      this.wake = () => resolve(undefined);
    });
    try {
      return await Promise.race([work(stop.signal), interrupted]);
    } finally {
      stop.abort();
    }
  }

  end(): void {
    for (const signal of SIGNALS) process.off(signal, this.onSignal);
  }
}
