import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestBudget } from './request-budget.js';

describe('RequestBudget', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const never = new AbortController().signal;
  /** The requests that have had their turn, in that order. */
  function takeAll(
    budget: RequestBudget,
    names: readonly string[],
    signal = never,
    isPatient = false,
  ): string[] {
    const sent: string[] = [];
    for (const name of names) {
      budget.take(signal, isPatient).then(
        () => sent.push(name),
        (error: unknown) => sent.push(`${name}: ${String(error)}`),
      );
    }
    return sent;
  }

  it('sends a burst at once, and then so many per second', async () => {
    const sent = takeAll(new RequestBudget(10), [...'abcdefghijklmnopqrstuvwxyz0123456789']);
    await jest.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(20);
    await jest.advanceTimersByTimeAsync(1000);
    expect(sent.length).toBeGreaterThanOrEqual(29);
    expect(sent.length).toBeLessThanOrEqual(30);
    await jest.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(36);
  });

  it('sends the newest of the waiting requests first', async () => {
    const budget = new RequestBudget(1);
    expect(takeAll(budget, ['burst', 'burst'])).toEqual([]);
    const sent = takeAll(budget, ['kind 1', 'kind 2', 'page']);
    await jest.advanceTimersByTimeAsync(3100);
    expect(sent).toEqual(['page', 'kind 2', 'kind 1']);
  });

  it('sends watches last', async () => {
    const budget = new RequestBudget(1);
    takeAll(budget, ['burst', 'burst', 'list']);
    const watches = takeAll(budget, ['watch 1', 'watch 2'], never, true);
    await jest.advanceTimersByTimeAsync(1100);
    const pages = takeAll(budget, ['page 2']);
    await jest.advanceTimersByTimeAsync(1000);
    expect([watches, pages]).toEqual([[], ['page 2']]);
    await jest.advanceTimersByTimeAsync(2000);
    expect(watches).toEqual(['watch 1', 'watch 2']);
  });

  it('does not count a request that is given up while it waits', async () => {
    const budget = new RequestBudget(1);
    takeAll(budget, ['burst', 'burst']);
    const ending = new AbortController();
    const given = takeAll(budget, ['late'], ending.signal);
    const sent = takeAll(budget, ['page']);
    ending.abort(new Error('closed'));
    await jest.advanceTimersByTimeAsync(1100);
    expect([given, sent]).toEqual([['late: Error: closed'], ['page']]);
  });
});
