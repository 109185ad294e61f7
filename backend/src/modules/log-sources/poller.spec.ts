import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import { Poller } from './poller.js';

describe('a look that is asked for', () => {
  let stop: AbortController;
  let looks: number;
  let takes: number;
  let poller: Poller;

  beforeEach(() => {
    stop = new AbortController();
    looks = 0;
    takes = 0;
    poller = new Poller(async () => {
      looks += 1;
      if (takes > 0) await delay(takes);
    }, stop.signal);
  });

  afterEach(() => stop.abort());

  it('is made at once after a while of quiet', async () => {
    poller.soon();
    expect(looks).toBe(1);
    await delay(150);
    poller.soon();
    expect(looks).toBe(2);
  });

  it('is gathered with those that follow', async () => {
    for (let asked = 0; asked < 10; asked += 1) {
      poller.soon();
      await Promise.resolve();
    }
    expect(looks).toBe(1);
    await waitFor(() => looks === 2, 'the look after what was gathered', 1000);
    await delay(250);
    expect(looks).toBe(2);
  });

  it('is made once more where it was asked for while one was made', async () => {
    takes = 50;
    poller.soon();
    poller.soon();
    expect(looks).toBe(1);
    await waitFor(() => looks === 2, 'the next look', 1000);
  });

  it('is tried again where it failed', async () => {
    let fails = true;
    poller = new Poller(() => {
      looks += 1;
      return fails ? Promise.reject(new Error('the engine does not answer')) : Promise.resolve();
    }, stop.signal);
    poller.soon();
    fails = false;
    await waitFor(() => looks === 2, 'the next attempt', 3000);
  });

  it('is made by nobody once the signal is given', async () => {
    poller.soon();
    poller.soon();
    stop.abort();
    poller.soon();
    await delay(250);
    expect(looks).toBe(1);
  });
});
