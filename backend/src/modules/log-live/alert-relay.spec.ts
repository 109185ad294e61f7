import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import { alertEngine, ANY_LINE, type Alert } from '../../../../test/support/logs/alert-engine.js';
import { identityOf } from '../../../../test/support/logs/lines.js';
import { AlertRelay } from './alert-relay.js';
import type { AlertEngine } from '../log-alerts/index.js';
import { LineBus, type SourceRegistry, type SourceState } from '../log-sources/index.js';
import type { LogsGateway } from './logs.gateway.js';

describe('AlertRelay', () => {
  let kept: Alert[];
  let engine: AlertEngine;
  let relay: AlertRelay;
  let bus: LineBus;
  let changes: Subject<number>;
  let state: SourceState;
  /** The firing counts sent to pages, without repetitions. */
  let counts: number[];

  beforeEach(() => {
    jest.useFakeTimers();
    kept = [];
    counts = [];
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
    const gateway: Pick<LogsGateway, 'broadcast' | 'sendAlertsFiring'> = {
      broadcast: () => {
        throw new Error('these alerts send no firings');
      },
      sendAlertsFiring: (count) => {
        if (count !== (counts.at(-1) ?? 0)) counts.push(count);
      },
    };
    relay = new AlertRelay(engine, bus, sources as unknown as SourceRegistry, gateway as LogsGateway);
  });

  afterEach(() => {
    engine.beforeApplicationShutdown();
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

  it('runs no timer without enabled alerts', () => {
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

  it('sends the number of firing alerts when it changes', () => {
    kept = [ANY_LINE];
    start();
    write();
    jest.advanceTimersByTime(5000);
    expect(counts).toEqual([1]);
    jest.advanceTimersByTime(6000);
    expect(counts).toEqual([1, 0]);
  });

  it('caches which alerts match a source until it is gone', () => {
    let matches = 0;
    const counted = {
      ...ANY_LINE,
      get sources(): Alert['sources'] {
        matches += 1;
        return {};
      },
    };
    kept = [counted];
    start();
    write();
    changes.next(1);
    write();
    expect(matches).toBe(1);
    state = 'gone';
    changes.next(1);
    state = 'live';
    write();
    expect(matches).toBe(2);
  });

  it('sends 0 immediately when the last alert is removed', () => {
    start();
    engine.set(ANY_LINE);
    write();
    jest.advanceTimersByTime(1000);
    expect(counts).toEqual([1]);
    engine.remove(1);
    expect([counts, jest.getTimerCount()]).toEqual([[1, 0], 0]);
  });
});
