import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import { Poller } from './poller.js';

describe('Poller', () => {
  let stop: AbortController;
  let polls: number;
  let durationMs: number;
  let poller: Poller;

  beforeEach(() => {
    stop = new AbortController();
    polls = 0;
    durationMs = 0;
    poller = new Poller(async () => {
      polls += 1;
      if (durationMs > 0) await delay(durationMs);
    }, stop.signal);
  });

  afterEach(() => stop.abort());

  it('polls immediately if no poll ran recently', async () => {
    poller.schedule();
    expect(polls).toBe(1);
    await delay(150);
    poller.schedule();
    expect(polls).toBe(2);
  });

  it('merges polls that are scheduled in quick succession', async () => {
    for (let count = 0; count < 10; count += 1) {
      poller.schedule();
      await Promise.resolve();
    }
    expect(polls).toBe(1);
    await waitFor(() => polls === 2, 'the merged poll', 1000);
    await delay(250);
    expect(polls).toBe(2);
  });

  it('polls once more if a poll was scheduled during another', async () => {
    durationMs = 50;
    poller.schedule();
    poller.schedule();
    expect(polls).toBe(1);
    await waitFor(() => polls === 2, 'the next poll', 1000);
  });

  it('retries a failed poll', async () => {
    let fails = true;
    poller = new Poller(() => {
      polls += 1;
      return fails ? Promise.reject(new Error('the engine does not respond')) : Promise.resolve();
    }, stop.signal);
    poller.schedule();
    fails = false;
    await waitFor(() => polls === 2, 'the next attempt', 3000);
  });

  it('stops when the signal aborts', async () => {
    poller.schedule();
    poller.schedule();
    stop.abort();
    poller.schedule();
    await delay(250);
    expect(polls).toBe(1);
  });
});
