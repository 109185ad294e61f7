import { describe, expect, it } from '@jest/globals';
import { EventLoopDelay } from './event-loop-delay.js';

const START = Date.parse('2026-11-21T09:00:00.000Z');

describe('EventLoopDelay', () => {
  const measured = { max: 0, p99: 0 };
  const time = { now: START };
  const delay = new EventLoopDelay(
    {
      get max() {
        return measured.max;
      },
      percentile: () => measured.p99,
      reset: () => Object.assign(measured, { max: 0, p99: 0 }),
      disable: () => true,
    },
    () => time.now,
  );
  // The spec ends the slices.
  delay.onApplicationShutdown();
  const slice = (p99: number, max: number): void => {
    Object.assign(measured, { p99: (p99 + 10) * 1e6, max: (max + 10) * 1e6 });
    time.now += 10_000;
    delay.endSlice();
  };

  it('reports no delay before the first one', () => {
    expect(delay.read()).toEqual({ p99_ms: 0, worst_ms: 0, worst_at: null });
  });

  it('reports the p99 of the last minute, and the worst delay since the start with its time', () => {
    slice(2, 5);
    slice(40, 1500);
    expect(delay.read()).toEqual({ p99_ms: 40, worst_ms: 1500, worst_at: '2026-11-21T09:00:20.000Z' });
    for (let index = 0; index < 6; index += 1) slice(3, 7);
    expect(delay.read()).toEqual({ p99_ms: 3, worst_ms: 1500, worst_at: '2026-11-21T09:00:20.000Z' });
  });

  it('includes a delay that has just occurred', () => {
    Object.assign(measured, { p99: 2010e6, max: 2010e6 });
    expect(delay.read()).toMatchObject({ p99_ms: 2000, worst_ms: 2000 });
  });
});

describe('EventLoopDelay of this process', () => {
  it('measures a blocked main thread', async () => {
    const delay = new EventLoopDelay();
    // On a busy machine, the timer that measures may run only after the next block.
    for (let blocks = 0; blocks < 50 && delay.read().worst_ms <= 50; blocks += 1) {
      const end = performance.now() + 80;
      while (performance.now() < end);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    delay.onApplicationShutdown();
    expect(delay.read().worst_ms).toBeGreaterThan(50);
  });
});
