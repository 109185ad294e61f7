import { jest } from '@jest/globals';

/** Sets the clock of this process ahead, and holds it there; timers run on as before. `jest.useRealTimers` ends it. */
export function beLater(seconds: number): void {
  jest.useFakeTimers({
    now: Date.now() + seconds * 1000,
    doNotFake: [
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ],
  });
}
