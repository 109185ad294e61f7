import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { retryWhileUnavailable } from '../../backend/src/drivers/runtime/retry-while-unavailable.js';

/** Calls that Slipway retries while an engine is busy, such as Podman during creations. */
const REPEATED = new Set<string | symbol>([
  'ping',
  'listNodes',
  'inspectNodes',
  'readNodeFile',
  'sample',
  'listImages',
  'hasImage',
  'objectsOf',
  'removeObjects',
]);

/**
 * A driver that retries calls like jobs do. A busy engine may return `runtime_unavailable`, which must not fail a test.
 */
export function patient(driver: RuntimeDriver): RuntimeDriver {
  return new Proxy(driver, {
    get: (target, name): unknown => {
      // Retries of `probe` would make a busy Podman start more and more programs.
      if (name === 'probe') return () => target.probe(60_000);
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args) as unknown;
      return REPEATED.has(name)
        ? (...args: unknown[]) => retryWhileUnavailable(async () => await call(...args))
        : call;
    },
  });
}
