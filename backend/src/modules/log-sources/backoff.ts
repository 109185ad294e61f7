import { setTimeout as delay } from 'node:timers/promises';

const FIRST_MS = 1000;
const MAX_MS = 30_000;
/** A stream that lasted this long was stable: the next attempt follows soon. */
export const STABLE_MS = 10_000;
/** How long an idle log of a deleted source is still read, for lines that have not arrived. */
export const DRAIN_MS = 2000;
/** A log that ended is not followed again sooner than this after its start, because a container may restart repeatedly. */
const RESTART_MS = 500;

/** Delays between attempts. Each is twice as long as the previous one: by default from 1 s to 30 s. */
export class Backoff {
  private nextMs: number;

  constructor(
    private readonly firstMs = FIRST_MS,
    private readonly maxMs = MAX_MS,
  ) {
    this.nextMs = firstMs;
  }

  /** Resolves after the delay, or when the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const ms = this.nextMs;
    this.nextMs = Math.min(ms * 2, this.maxMs);
    await sleep(ms, signal);
  }

  reset(): void {
    this.nextMs = this.firstMs;
  }
}

/** Waits before a log that ended is followed again. @param startedAt by `performance.now()` */
export async function waitForRestart(startedAt: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, RESTART_MS - (performance.now() - startedAt)), signal);
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
