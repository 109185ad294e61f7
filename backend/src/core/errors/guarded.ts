import { Logger } from '@nestjs/common';
import { asError, reasonOf } from './reason-of.js';

const logger = new Logger('Guarded');

type Failure = string | { destroy: (error: Error) => unknown } | ((error: unknown) => void);

/**
 * A callback for a timer, an immediate or an event of a stream that belongs to one cluster, engine, source or store.
 * If it throws, or its promise rejects, that owner fails instead of the process: an exception in such a callback has no
 * caller, and Node ends the process for it.
 * @param onFailure Makes the owner fail with a reason, or keeps the work to be tried again. If it throws as well, its
 * error is logged. A stream is destroyed. A text says what could not be done, for an owner that has no state to show: the
 * error is logged.
 */
export function guarded<TArguments extends unknown[]>(
  callback: (...args: TArguments) => unknown,
  onFailure: Failure,
): (...args: TArguments) => void {
  const fail = (error: unknown): void => {
    try {
      if (typeof onFailure === 'string') logger.error(`could not ${onFailure}: ${reasonOf(error)}`);
      else if (typeof onFailure === 'function') onFailure(error);
      else onFailure.destroy(asError(error));
    } catch (second) {
      logger.error(`Could not handle a failure (${reasonOf(error)}): ${reasonOf(second)}`);
    }
  };
  return (...args) => {
    try {
      const result = callback(...args);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

/** `setTimeout` with a guarded callback. */
export function guardedTimeout(callback: () => unknown, ms: number, onFailure: Failure): NodeJS.Timeout {
  return setTimeout(guarded(callback, onFailure), ms);
}

/** `setInterval` with a guarded callback. */
export function guardedInterval(callback: () => unknown, ms: number, onFailure: Failure): NodeJS.Timeout {
  return setInterval(guarded(callback, onFailure), ms);
}
