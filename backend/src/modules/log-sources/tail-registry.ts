import { setTimeout as delay } from 'node:timers/promises';
import { guarded } from '../../core/errors/index.js';
import { IdleMonitor } from './idle-monitor.js';

interface Tail {
  controller: AbortController;
  monitor: IdleMonitor;
}

/** The running tails, at most one per key. */
export class TailRegistry {
  private readonly running = new Map<string, Tail>();
  private readonly work = new Set<Promise<void>>();

  /**
   * @param outer stops all tails
   * @param onEnd called when a tail has ended without being stopped
   */
  constructor(
    private readonly outer: AbortSignal,
    private readonly onEnd: (key: string) => void,
  ) {}

  has(key: string): boolean {
    return this.running.has(key);
  }

  /** Starts a tail unless one runs for the key. The work must not throw, and passes its streams through the monitor. */
  start(key: string, work: (signal: AbortSignal, monitor: IdleMonitor) => Promise<void>): void {
    if (this.running.has(key) || this.outer.aborted) return;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    this.outer.addEventListener('abort', stop, { once: true });
    const running = { controller, monitor: new IdleMonitor() };
    this.running.set(key, running);
    const ended = guarded(() => this.onEnd(key), `follow ${key} again`);
    const done = work(controller.signal, running.monitor).finally(() => {
      this.outer.removeEventListener('abort', stop);
      if (this.running.get(key) === running) this.running.delete(key);
      this.work.delete(done);
      if (!controller.signal.aborted) ended();
    });
    this.work.add(done);
  }

  stop(key: string): void {
    const running = this.running.get(key);
    this.running.delete(key);
    running?.controller.abort();
  }

  /**
   * Stops the tail of a key when its streams have been idle for a while: it may still have lines to read.
   * @param isWanted whether it is to continue after all
   */
  stopWhenIdle(key: string, idleMs: number, isWanted: () => boolean): void {
    const running = this.running.get(key);
    if (!running) return;
    const stop = (): void => this.stop(key);
    const check = guarded(() => {
      if (this.running.get(key) !== running || isWanted()) return;
      const leftMs = idleMs - running.monitor.idleMs;
      if (leftMs > 0) setTimeout(check, leftMs).unref();
      else stop();
    }, stop);
    // Lines written just before may not have arrived yet, even if the stream was idle until now.
    setTimeout(check, idleMs).unref();
  }

  /**
   * Resolves when the tail of a key has ended, its streams have been idle for a while, `isEnough` returns true, or the
   * signal aborts.
   */
  async idle(key: string, idleMs: number, isEnough: () => boolean, signal: AbortSignal): Promise<void> {
    const running = this.running.get(key);
    if (!running) return;
    const isRunning = (): boolean => this.running.get(key) === running && !signal.aborted && !isEnough();
    // Lines written just before may not have arrived yet, even if the stream was idle until now.
    for (let leftMs = idleMs; leftMs > 0 && isRunning(); leftMs = idleMs - running.monitor.idleMs) {
      await delay(leftMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.work]);
  }
}
