import { setTimeout as delay } from 'node:timers/promises';
import { IdleMonitor } from './idle-monitor.js';

interface Running {
  controller: AbortController;
  monitor: IdleMonitor;
}

/** Work for sources that goes on until it ends or is stopped: at most one for each key. */
export class TailRegistry {
  private readonly running = new Map<string, Running>();
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

  /** Begins where nothing is at work for the key. The work must not throw, and lets its streams be heard. */
  begin(key: string, work: (signal: AbortSignal, monitor: IdleMonitor) => Promise<void>): void {
    if (this.running.has(key) || this.outer.aborted) return;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    this.outer.addEventListener('abort', stop, { once: true });
    const running = { controller, monitor: new IdleMonitor() };
    this.running.set(key, running);
    const done = work(controller.signal, running.monitor).finally(() => {
      this.outer.removeEventListener('abort', stop);
      if (this.running.get(key) === running) this.running.delete(key);
      this.work.delete(done);
      if (!controller.signal.aborted) this.onEnd(key);
    });
    this.work.add(done);
  }

  stop(key: string): void {
    const running = this.running.get(key);
    this.running.delete(key);
    running?.controller.abort();
  }

  /**
   * Stops what is at work for the key once its streams have told nothing for a while, unless it ends before: a reader may
   * be behind.
   * @param isWanted whether it is to go on after all
   */
  stopOnceQuiet(key: string, quietMs: number, isWanted: () => boolean): void {
    const running = this.running.get(key);
    if (!running) return;
    const look = (): void => {
      if (this.running.get(key) !== running || isWanted()) return;
      const leftMs = quietMs - running.monitor.quietMs;
      if (leftMs > 0) setTimeout(look, leftMs).unref();
      else this.stop(key);
    };
    // What was written just before may not have come yet, however long it was quiet until then.
    setTimeout(look, quietMs).unref();
  }

  /**
   * Resolves once what is at work for the key has ended, or its streams have told nothing for a while, or it is enough;
   * also when the signal is given.
   */
  async quiet(key: string, quietMs: number, isEnough: () => boolean, signal: AbortSignal): Promise<void> {
    const running = this.running.get(key);
    if (!running) return;
    const isAtWork = (): boolean => this.running.get(key) === running && !signal.aborted && !isEnough();
    // What was written just before may not have come yet, however long it was quiet until then.
    for (let leftMs = quietMs; leftMs > 0 && isAtWork(); leftMs = quietMs - running.monitor.quietMs) {
      await delay(leftMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when all that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.work]);
  }
}
