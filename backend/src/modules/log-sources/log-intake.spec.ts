import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import { ExternalHistories } from './external-histories.js';
import { LogIntake } from './log-intake.js';

describe('LogIntake', () => {
  it('deletes the lines of a removed cluster after its watch has ended', async () => {
    const events: string[] = [];
    const entry = {
      ...{ id: 1, state: 'live' },
      identity: { key: 'a', kind: 'pod', runtime: EXTERNAL_RUNTIME, cluster: 'shop' },
    };
    const store = { delete: () => Promise.resolve(void events.push('deleted')) };
    const registry = {
      ...{ all: () => [entry], findPresent: () => new Map(), intakeChanges: new Subject() },
      ...{ changes: new Subject(), setState: () => undefined, noteDeleted: () => undefined },
      forgetEmpty: () => undefined,
    };
    const followPods = async (_: unknown, signal: AbortSignal): Promise<void> => {
      events.push('followed');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // The last lines are on their way to the store.
      await delay(30);
      events.push('ended');
    };
    const histories = new ExternalHistories();
    const intake = new LogIntake(
      { open: () => Promise.resolve(store), close: () => Promise.resolve() } as never,
      { changes: new Subject(), available: () => [] } as never,
      ...([{}, {}, registry] as never[] as [never, never, never]),
      histories,
      {} as never,
      { values: { logIntake: 'all', logHistoryDays: 1 } } as never,
      { failure: (text: string) => events.push(text) } as never,
    );
    await intake.start();
    const scopes = [{ namespace: 'one', selector: null }];
    const connect = (): Promise<never> => Promise.resolve({ followPods } as never);
    histories.set([{ cluster: 'shop', scopes, generation: '1', connect }]);
    await delay(10);
    histories.set([]);
    histories.deleteLines('shop');
    await delay(100);
    expect(events).toEqual(['followed', 'ended', 'deleted']);
    await intake.onApplicationShutdown();
  });
});
