import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../core/errors/index.js';

const TIMEOUT_MS = 60_000;
const RETRY_MS = 1000;

/**
 * Repeats a call for up to a minute while the engine is unavailable. Podman does not respond for seconds while it
 * creates a container, and a job must not fail because of that.
 */
export async function retryWhileUnavailable<TResult>(
  call: () => Promise<TResult>,
  signal?: AbortSignal,
): Promise<TResult> {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      signal?.throwIfAborted();
      const unavailable = hasCode(error, 'runtime_unavailable');
      if (!unavailable || performance.now() > deadline) throw error;
      await delay(RETRY_MS, undefined, { signal });
    }
  }
}
