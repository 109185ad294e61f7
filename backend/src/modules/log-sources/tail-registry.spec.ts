import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TailRegistry } from './tail-registry.js';
import type { IdleMonitor } from './idle-monitor.js';

const QUIET_MS = 60;

describe('who waits for what is at work', () => {
  let stop: AbortController;
  let tails: TailRegistry;
  let monitor: IdleMonitor;
  let end: () => void;
  let isOver: boolean;

  beforeEach(() => {
    stop = new AbortController();
    tails = new TailRegistry(stop.signal, () => undefined);
    isOver = false;
    tails.begin('main', async (signal, heard) => {
      monitor = heard;
      await new Promise<void>((resolve) => {
        end = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    });
  });

  afterEach(async () => {
    stop.abort();
    await tails.settled();
  });

  function wait(isEnough = (): boolean => false, signal = stop.signal): Promise<void> {
    return tails.quiet('main', QUIET_MS, isEnough, signal).then(() => void (isOver = true));
  }

  /** One part after the other, each of which is in hand for some time. */
  async function tell(parts: number): Promise<void> {
    async function* stream(): AsyncGenerator<number> {
      for (let part = 0; part < parts; part += 1) yield await Promise.resolve(part);
    }
    const told: number[] = [];
    for await (const part of monitor.stream(stream())) {
      told.push(part);
      await delay(QUIET_MS / 2);
    }
    expect(told).toHaveLength(parts);
  }

  it('waits until its streams tell nothing for a while', async () => {
    const waiting = wait();
    await tell(8);
    expect(isOver).toBe(false);
    await waiting;
  });

  it('does not wait for what has ended', async () => {
    const waiting = wait();
    const telling = tell(12);
    end();
    await waiting;
    expect(monitor.quietMs).toBe(0);
    await telling;
    await tails.quiet('other', QUIET_MS, () => false, stop.signal);
  });

  it('does not wait on where it is enough, or nobody wants it any more', async () => {
    const telling = tell(12);
    await wait(() => true);
    const own = new AbortController();
    const waiting = wait(undefined, own.signal);
    own.abort();
    await waiting;
    expect(monitor.quietMs).toBe(0);
    await telling;
  });
});
