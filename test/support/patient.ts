import type { RuntimeDriver } from '../../backend/src/drivers/runtime/index.js';
import { retryWhileUnavailable } from '../../backend/src/drivers/runtime/retry-while-unavailable.js';

/** Calls that the product repeats while an engine is busy, as Podman is while it makes containers. */
const REPEATED = new Set<string | symbol>([
  'probe',
  'ping',
  'listNodes',
  'inspectNodes',
  'readNodeFile',
  'sample',
  'listImages',
  'hasImage',
  'remainsOf',
  'removeRemains',
]);

/**
 * A driver with the patience that jobs have. That a busy engine says `runtime_unavailable` is part of the
 * contract; on a machine with other work a test must not fail over it any more than a job does.
 */
export function patient(driver: RuntimeDriver): RuntimeDriver {
  return new Proxy(driver, {
    get: (target, name): unknown => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args) as unknown;
      return REPEATED.has(name)
        ? (...args: unknown[]) => retryWhileUnavailable(async () => await call(...args))
        : call;
    },
  });
}
