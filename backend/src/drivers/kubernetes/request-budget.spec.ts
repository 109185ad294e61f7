import { describe, expect, it } from '@jest/globals';
import { RequestBudget } from './request-budget.js';

const endless = new AbortController().signal;

describe('RequestBudget', () => {
  it('lets a burst of twice the rate pass, and delays what exceeds it', async () => {
    const clock = 0;
    const budget = new RequestBudget(20, () => clock);
    const startedAt = performance.now();
    for (let count = 0; count < 40; count += 1) await budget.take(endless);
    expect(performance.now() - startedAt).toBeLessThan(45);
    await budget.take(endless);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
    // Each waits behind those before it.
    const next = performance.now();
    await Promise.all([budget.take(endless), budget.take(endless)]);
    expect(performance.now() - next).toBeGreaterThanOrEqual(145);
  });

  it('saves no more than a burst', async () => {
    let clock = 0;
    const budget = new RequestBudget(20, () => clock);
    for (let count = 0; count < 40; count += 1) await budget.take(endless);
    clock = 3_600_000;
    for (let count = 0; count < 40; count += 1) await budget.take(endless);
    const startedAt = performance.now();
    await budget.take(endless);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
  });

  it('ends a wait with the reason of its signal, and gives its turn back', async () => {
    const budget = new RequestBudget(1, () => 0);
    for (let count = 0; count < 2; count += 1) await budget.take(endless);
    for (let count = 0; count < 50; count += 1) {
      const leaving = new AbortController();
      const turn = budget.take(leaving.signal);
      leaving.abort(new Error('the page was closed'));
      await expect(turn).rejects.toThrow('the page was closed');
    }
    const startedAt = performance.now();
    await budget.take(endless);
    expect(performance.now() - startedAt).toBeLessThan(1500);
  });
});
