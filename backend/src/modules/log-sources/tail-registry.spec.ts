import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TailRegistry } from './tail-registry.js';
import type { IdleMonitor } from './idle-monitor.js';

const IDLE_MS = 60;

describe('TailRegistry.idle', () => {
  let stop: AbortController;
  let tails: TailRegistry;
  let monitor: IdleMonitor;
  let end: () => void;
  let isIdle: boolean;

  beforeEach(() => {
    stop = new AbortController();
    tails = new TailRegistry(stop.signal, () => undefined);
    isIdle = false;
    tails.start('main', async (signal, own) => {
      monitor = own;
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
    return tails.idle('main', IDLE_MS, isEnough, signal).then(() => void (isIdle = true));
  }

  /** Sends parts, each of which takes some time to process. */
  async function send(parts: number): Promise<void> {
    async function* stream(): AsyncGenerator<number> {
      for (let part = 0; part < parts; part += 1) yield await Promise.resolve(part);
    }
    const received: number[] = [];
    for await (const part of monitor.stream(stream())) {
      received.push(part);
      await delay(IDLE_MS / 2);
    }
    expect(received).toHaveLength(parts);
  }

  it('waits until the streams are idle', async () => {
    const waiting = wait();
    await send(8);
    expect(isIdle).toBe(false);
    await waiting;
  });

  it('does not wait for an ended tail', async () => {
    const waiting = wait();
    const sending = send(12);
    end();
    await waiting;
    expect(monitor.idleMs).toBe(0);
    await sending;
    await tails.idle('other', IDLE_MS, () => false, stop.signal);
  });

  it('stops waiting when isEnough returns true or the signal aborts', async () => {
    const sending = send(12);
    await wait(() => true);
    const own = new AbortController();
    const waiting = wait(undefined, own.signal);
    own.abort();
    await waiting;
    expect(monitor.idleMs).toBe(0);
    await sending;
  });
});
