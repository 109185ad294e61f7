/** Work for sources that goes on until it ends or is stopped: at most one for each key. */
export class Followers {
  private readonly running = new Map<string, AbortController>();
  private readonly work = new Set<Promise<void>>();

  /**
   * @param outer stops all of them
   * @param onEnd called when one has ended by itself
   */
  constructor(
    private readonly outer: AbortSignal,
    private readonly onEnd: (key: string) => void,
  ) {}

  has(key: string): boolean {
    return this.running.has(key);
  }

  keys(): string[] {
    return [...this.running.keys()];
  }

  /** Begins where nothing is at work for the key. The work must not throw. */
  begin(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.running.has(key) || this.outer.aborted) return;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    this.outer.addEventListener('abort', stop, { once: true });
    this.running.set(key, controller);
    const done = work(controller.signal).finally(() => {
      this.outer.removeEventListener('abort', stop);
      if (this.running.get(key) === controller) this.running.delete(key);
      this.work.delete(done);
      if (!controller.signal.aborted) this.onEnd(key);
    });
    this.work.add(done);
  }

  stop(key: string): void {
    const controller = this.running.get(key);
    this.running.delete(key);
    controller?.abort();
  }

  /** Resolves when all that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.work]);
  }
}
