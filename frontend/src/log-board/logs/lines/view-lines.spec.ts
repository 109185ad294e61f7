import { signal, type WritableSignal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { makeSource } from '../../testing/make-source';
import { LogSources } from '../sources/log-sources';
import { CREATE_LIVE_LINES } from './live-lines';
import { FakeLines } from './testing/fake-lines';
import { type Period, ViewLines } from './view-lines';

describe('ViewLines', () => {
  let made: FakeLines[];
  /** The lines that were created first. */
  let lines: FakeLines;
  let known: WritableSignal<readonly LogSourceDto[]>;
  let period: WritableSignal<Period>;
  let shown: ViewLines;
  const api = makeSource({ id: 7, key: 'container/docker/api' });
  const shop = makeSource({ id: 3, key: 'container/docker/shop' });

  beforeEach(() => {
    made = [];
    known = signal([]);
    period = signal({ from: null, to: null });
    TestBed.configureTestingModule({
      providers: [
        { provide: LogSources, useValue: { all: known } },
        { provide: CREATE_LIVE_LINES, useValue: makeLines },
      ],
    });
    const keys = signal([api.key, shop.key]);
    shown = TestBed.runInInjectionContext(
      () => new ViewLines({ keys, period, results: signal(null), list: signal(undefined) }),
    );
    lines = made[0] as FakeLines;
  });

  function makeLines(): FakeLines {
    const next = new FakeLines();
    made.push(next);
    return next;
  }

  function know(...sources: LogSourceDto[]): void {
    known.set(sources);
    TestBed.tick();
  }

  /** Runs effects, and what they began. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      TestBed.tick();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  it('applies the period later if the first attempt fails', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      know(api);
      lines.state.set('open');
      const ask = lines.locateTime.bind(lines);
      lines.locateTime = () => Promise.reject(new Error('no answer'));
      period.set({ from: 1000, to: 2000 });
      TestBed.tick();
      await jest.advanceTimersByTimeAsync(10);
      lines.locateTime = ask;
      expect(shown.isBound()).toBe(false);
      await jest.advanceTimersByTimeAsync(2000);
      expect([lines.located, shown.isBound()]).toEqual([[1000, 2000], true]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('discards loading lines if the sources change again', () => {
    know(api, shop);
    lines.state.set('open');
    lines.hasRoom = false;
    know(api);
    know(api, shop);
    expect(made.map(({ opened }) => opened)).toEqual([
      ['7 live,3 live', 'standing still', '7 live,3 live'],
      ['7 live', 'closed'],
    ]);
    // With no common source, nothing is kept.
    know();
    expect([lines.opened.at(-1), made.length]).toEqual(['', 2]);
  });

  it('applies the period to the new lines before they are shown', async () => {
    know(api);
    lines.state.set('open');
    period.set({ from: 1000, to: 2000 });
    await settle();
    know(api, shop);
    const [, next] = made;
    next?.state.set('open');
    expect(shown.live()).toBe(lines);
    await settle();
    expect(shown.live()).toBe(next);
    expect([lines.opened.at(-1), next?.located, shown.isBound()]).toEqual(['closed', [1000, 2000], true]);
  });

  it('counts the lines skipped because the page was too slow', () => {
    expect(shown.skipped()).toBe(0);
    lines.skipped = 1200;
    lines.version.update((version) => version + 1);
    expect(shown.skipped()).toBe(1200);
  });

  it('locates a line outside the period nowhere', async () => {
    know(api);
    lines.state.set('open');
    await settle();
    expect(await shown.locate({ source: 7, seq: 12 })).toBe(4);
    period.set({ from: 1000, to: 2000 });
    await settle();
    expect(await shown.locate({ source: 7, seq: 12 })).toBeNull();
  });
});
