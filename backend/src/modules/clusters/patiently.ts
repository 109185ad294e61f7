import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../core/errors/index.js';

const PATIENCE_MS = 60_000;
const RETRY_MS = 1000;

/**
 * Asks an engine again while it does not answer, for a minute. Podman answers nothing for seconds while
 * its own program makes a container, and a job must not fail over that.
 */
export async function patiently<TResult>(
  ask: () => Promise<TResult>,
  signal?: AbortSignal,
): Promise<TResult> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      const silent = error instanceof DomainError && error.code === 'runtime_unavailable';
      if (!silent || performance.now() > deadline) throw error;
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
