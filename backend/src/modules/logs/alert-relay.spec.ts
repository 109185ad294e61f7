import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { identityOf } from '../../../../test/support/logs/history.js';
import type { AppLogger } from '../../core/logging/index.js';
import { AlertRelay } from './alert-relay.js';
import { AlertEngine } from './alerts/alert-engine.js';
import { type Alert, lineQuery } from './alerts/alert.js';
import type { AlertStore } from './alerts/alert.store.js';
import type { FiringStore } from './alerts/firing.store.js';
import type { WebhookDeliveries } from './alerts/webhook-deliveries.js';
import { LineFeed } from './live/line-feed.js';
import type { LogsGateway } from './logs.gateway.js';
import type { SourceState } from './sources/log-source.js';
import type { SourceRegistry } from './sources/source-registry.js';

const ALERT: Alert = {
  id: 1,
  name: 'Any',
  enabled: true,
  query: lineQuery({}),
  sources: {},
  threshold: 1,
  window_seconds: 10,
  quiet_seconds: 10,
  browser: false,
  webhook: false,
  problem: null,
  last_fired_at: null,
  created_at: '2026-11-22T07:00:00.000Z',
};

describe('the relay of alerts', () => {
  let kept: Alert[];
  let engine: AlertEngine;
  let relay: AlertRelay;
  let feed: LineFeed;
  let changes: Subject<number>;
  let state: SourceState;
  /** How many fire, as pages were told: each number once. */
  let told: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    kept = [];
    told = [];
    feed = new LineFeed();
    const store: Pick<AlertStore, 'list' | 'transaction' | 'noteFired'> = {
      list: () => kept,
      transaction: (work) => work(),
      noteFired: () => undefined,
    };
    const firings = { insert: () => ({}) } as unknown as FiringStore;
    const deliveries: Pick<WebhookDeliveries, 'look'> = { look: () => undefined };
    engine = new AlertEngine(
      store as AlertStore,
      firings,
      deliveries as WebhookDeliveries,
      {} as Partial<AppLogger> as AppLogger,
    );
    changes = new Subject();
    state = 'live';
    const sources = {
      find: (id: number) => {
        expect(id).toBe(1);
        return { id, identity: identityOf('web'), state };
      },
      changes,
    };
    const gateway: Pick<LogsGateway, 'broadcast' | 'tellAlertsFiring'> = {
      broadcast: () => {
        throw new Error('no alert tells pages of its firings');
      },
      tellAlertsFiring: (count) => {
        if (count !== (told.at(-1) ?? 0)) told.push(count);
      },
    };
    relay = new AlertRelay(engine, feed, sources as unknown as SourceRegistry, gateway as LogsGateway);
  });

  afterEach(async () => {
    await engine.beforeApplicationShutdown();
    relay.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  function start(): void {
    engine.onModuleInit();
    relay.onModuleInit();
  }

  function write(): void {
    const time = Date.now() * 1000;
    const line = { seq: 1, time, stream: null, level: null, text: 'x', cut: 0, continues: false };
    feed.appended.next({ source: 1, lines: [line] });
  }

  it('looks at nothing while there is no alert', () => {
    kept = [{ ...ALERT, enabled: false }];
    start();
    expect(jest.getTimerCount()).toBe(0);
    engine.set(ALERT);
    expect(jest.getTimerCount()).toBe(1);
    engine.set({ ...ALERT, threshold: 2 });
    engine.set({ ...ALERT, id: 2 });
    engine.remove(1);
    expect(jest.getTimerCount()).toBe(1);
    engine.set({ ...ALERT, id: 2, enabled: false });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells how many fire, and of those that go back to rest', () => {
    kept = [ALERT];
    start();
    write();
    jest.advanceTimersByTime(5000);
    expect(told).toEqual([1]);
    jest.advanceTimersByTime(6000);
    expect(told).toEqual([1, 0]);
  });

  it('remembers which alerts look at a source until that is gone', () => {
    let looks = 0;
    const counted = {
      ...ALERT,
      get sources(): Alert['sources'] {
        looks += 1;
        return {};
      },
    };
    kept = [counted];
    start();
    write();
    changes.next(1);
    write();
    expect(looks).toBe(1);
    state = 'gone';
    changes.next(1);
    state = 'live';
    write();
    expect(looks).toBe(2);
  });

  it('tells at once that none fires where the last alert is removed', () => {
    start();
    engine.set(ALERT);
    write();
    jest.advanceTimersByTime(1000);
    expect(told).toEqual([1]);
    engine.remove(1);
    expect([told, jest.getTimerCount()]).toEqual([[1, 0], 0]);
  });
});
