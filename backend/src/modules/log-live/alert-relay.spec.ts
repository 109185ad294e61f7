import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { alertEngine, ANY_LINE, type Alert } from '../../../../test/support/logs/alert-engine.js';
import { identityOf } from '../../../../test/support/logs/lines.js';
import { AlertRelay } from './alert-relay.js';
import type { AlertEngine } from '../log-alerts/index.js';
import { LineBus, type SourceRegistry, type SourceState } from '../log-sources/index.js';
import type { LogsGateway } from './logs.gateway.js';

describe('the relay of alerts', () => {
  let kept: Alert[];
  let engine: AlertEngine;
  let relay: AlertRelay;
  let bus: LineBus;
  let changes: Subject<number>;
  let state: SourceState;
  /** How many fire, as pages were told: each number once. */
  let told: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    kept = [];
    told = [];
    bus = new LineBus();
    engine = alertEngine(() => kept);
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
    relay = new AlertRelay(engine, bus, sources as unknown as SourceRegistry, gateway as LogsGateway);
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
    bus.appended.next({ source: 1, lines: [line] });
  }

  it('looks at nothing while there is no alert', () => {
    kept = [{ ...ANY_LINE, enabled: false }];
    start();
    expect(jest.getTimerCount()).toBe(0);
    engine.set(ANY_LINE);
    expect(jest.getTimerCount()).toBe(1);
    engine.set({ ...ANY_LINE, threshold: 2 });
    engine.set({ ...ANY_LINE, id: 2 });
    engine.remove(1);
    expect(jest.getTimerCount()).toBe(1);
    engine.set({ ...ANY_LINE, id: 2, enabled: false });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells how many fire, and of those that go back to rest', () => {
    kept = [ANY_LINE];
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
      ...ANY_LINE,
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
    engine.set(ANY_LINE);
    write();
    jest.advanceTimersByTime(1000);
    expect(told).toEqual([1]);
    engine.remove(1);
    expect([told, jest.getTimerCount()]).toEqual([[1, 0], 0]);
  });
});
