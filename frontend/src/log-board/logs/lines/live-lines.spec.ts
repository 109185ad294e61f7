import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import type { MergedPageDto, WireLine, WireMergedLine } from '../../../shared/api/api-types';
import { type LogLine, rfc3339 } from '../../../shared/lines/log-line';
import { provideApi } from '../../../shared/testing/fake-api';
import { EIGHT } from '../../../shared/lines/testing/make-line';
import type { LineListener } from './line-subscriptions';
import { LineSubscriptions } from './line-subscriptions';
import { MAX_FOLLOWED, type OpenedSource } from './followed-sources';
import { LiveLines } from './live-lines';

/** Subscriptions that are all active, or none. */
class FakeSubscriptions {
  readonly listeners = new Set<LineListener>();
  /** Followed sources in order. */
  readonly followed: number[] = [];
  isActive = false;

  follow(source: number, listener: LineListener): () => void {
    this.listeners.add(listener);
    this.followed.push(source);
    if (this.isActive) listener.onStart(source);
    return () => {
      this.followed.splice(this.followed.indexOf(source), 1);
      if (this.followed.length === 0 || source === 7) this.listeners.delete(listener);
    };
  }

  get only(): LineListener {
    const [listener, ...more] = this.listeners;
    if (!listener || more.length > 0) throw new Error(`there are ${this.listeners.size} listeners`);
    return listener;
  }

  begin(): void {
    this.isActive = true;
    this.only.onStart(7);
  }
}

function wire(seq: number, text: string): WireLine {
  return [seq, EIGHT + seq * 1000, 1, null, text, 0];
}

function source(id: number, state: OpenedSource['state'] = 'live', next_seq = 1): OpenedSource {
  return { id, state, next_seq };
}

describe('LiveLines', () => {
  let subscriptions: FakeSubscriptions;
  let stored: string[];
  /** Lines of source 9. */
  let others: WireLine[];
  /** Lines in a page of the newest. */
  let newest: number;
  let fails: boolean;
  let requests: object[];
  let live: LiveLines;

  beforeEach(() => {
    subscriptions = new FakeSubscriptions();
    stored = ['one', 'two', 'three'];
    others = [];
    newest = 500;
    fails = false;
    requests = [];
    const api = provideApi({
      'GET /api/lines': ({ sources, limit: _limit, longest: _longest, ...place }): Promise<MergedPageDto> => {
        requests.push(place);
        if (fails) return Promise.reject(new Error('no answer'));
        const own = stored.map((text, index): WireMergedLine => [7, ...wire(index + 1, text)]);
        const merged = [...own, ...others.map((line): WireMergedLine => [9, ...line])]
          .filter(([source]) => sources?.split(',').includes(String(source)))
          .sort((one, other) => one[2] - other[2]);
        const lines = Object.keys(place).length === 0 ? merged.slice(-newest) : merged;
        const end = merged.length + 1;
        return Promise.resolve({ position: end - lines.length, first: 1, end, lines });
      },
    });
    TestBed.configureTestingModule({
      providers: [LiveLines, api, { provide: LineSubscriptions, useValue: subscriptions }],
    });
    live = TestBed.inject(LiveLines);
  });

  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
  }

  function texts(): (string | undefined)[] {
    return Array.from({ length: live.end - live.first }, (_, index) => {
      const row = live.row(live.first + index);
      return row?.kind === 'line' ? row.text : row?.kind;
    });
  }

  it('opens with the newest page once the subscription is active, and appends lines', async () => {
    live.open([source(7)]);
    expect([live.state(), requests]).toEqual(['opening', []]);
    subscriptions.begin();
    await settle();
    expect([live.state(), requests, texts()]).toEqual(['open', [{}], ['one', 'two', 'three']]);
    subscriptions.only.onLines(7, [wire(4, 'four')]);
    subscriptions.only.onSkipped(7, 5, 9);
    expect([texts(), live.arrived, live.skipped]).toEqual([['one', 'two', 'three', 'four', 'gap'], 6, 5]);
    live.open([source(7)]);
    expect(requests).toHaveLength(1);
  });

  it('starts again when the server has lost lines', async () => {
    live.open([source(7)]);
    subscriptions.begin();
    await settle();
    const before = subscriptions.only;
    before.onLines(7, [wire(4, 'four, which was lost')]);
    stored = ['one', 'two', 'three', 'another fourth'];
    before.onReset(7);
    expect(subscriptions.only).not.toBe(before);
    await settle();
    subscriptions.only.onLines(7, [wire(4, 'another fourth'), wire(5, 'five')]);
    expect([live.state(), texts()]).toEqual(['open', ['one', 'two', 'three', 'another fourth', 'five']]);
    // Events of removed sources are ignored.
    before.onReset(7);
    await settle();
    expect(requests).toHaveLength(2);
  });

  it('follows no deleted sources, and opens without subscriptions', async () => {
    live.open([source(7, 'gone', 4)]);
    await settle();
    expect([subscriptions.followed, live.state(), texts()]).toEqual([[], 'open', ['one', 'two', 'three']]);
  });

  it('follows a deleted source that is back or has more lines, and loads the missed lines', async () => {
    live.open([source(7, 'gone', 4)]);
    await settle();
    live.open([source(7, 'gone', 4)]);
    expect(subscriptions.followed).toEqual([]);
    stored.push('four');
    live.open([source(7, 'gone', 5)]);
    expect(subscriptions.followed).toEqual([7]);
    subscriptions.begin();
    await settle();
    expect(texts()).toEqual(['one', 'two', 'three', 'four']);
    subscriptions.only.onLines(7, [wire(5, 'five')]);
    // The remaining lines of a deleted source are received.
    live.open([source(7, 'gone', 6)]);
    expect(subscriptions.followed).toEqual([7]);
    expect(texts()).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  it('follows live and newest sources first, and counts those beyond the limit', async () => {
    const gone = Array.from({ length: 1500 }, (_, index) => source(index + 10_000, 'gone', 9));
    const quiet = Array.from({ length: MAX_FOLLOWED }, (_, index) => source(index + 100, 'waiting'));
    subscriptions.isActive = true;
    live.open([...gone, source(7), source(8), ...quiet]);
    await settle();
    expect(subscriptions.followed.slice(0, 3)).toEqual([8, 7, MAX_FOLLOWED + 99]);
    expect([subscriptions.followed.length, live.unfollowed(), live.state()]).toEqual([1000, 2, 'open']);
    // The subscription of a deleted source goes to a waiting one.
    live.open([...gone, source(7), source(8, 'gone', 3), ...quiet]);
    expect(subscriptions.followed).not.toContain(8);
    expect([subscriptions.followed.length, live.unfollowed()]).toEqual([1000, 1]);
  });

  it('counts refused subscriptions, and opens without them', async () => {
    live.open([source(7), source(9)]);
    subscriptions.only.onError(9, 'too many');
    expect(live.unfollowed()).toBe(1);
    subscriptions.begin();
    await settle();
    expect(live.state()).toBe('open');
    subscriptions.only.onStart(9);
    expect(live.unfollowed()).toBe(0);
  });

  it('loads the missed lines of a source whose subscription was refused before', async () => {
    live.open([source(7)]);
    subscriptions.only.onError(7, 'One socket follows up to 1,000 sources.');
    await settle();
    expect([live.unfollowed(), requests.length]).toEqual([1, 1]);
    stored.push('four, not pushed');
    subscriptions.begin();
    await settle();
    expect([live.unfollowed(), texts().at(-1)]).toEqual([0, 'four, not pushed']);
  });

  it('keeps its lines in place until those of the new sources and the held ones are loaded', async () => {
    subscriptions.isActive = true;
    live.open([source(7)]);
    await settle();
    const held = live.row(1) as LogLine;
    subscriptions.isActive = false;
    others = [wire(0, 'nine')];
    newest = 1;
    live.open([source(7), source(9)], () => [held]);
    expect([live.state(), texts()]).toEqual(['open', ['one', 'two', 'three']]);
    const located = live.locate({ source: 9, seq: 0 });
    subscriptions.only.onLines(7, [wire(4, 'four')]);
    expect([live.end, live.received]).toEqual([5, 1]);
    const { version } = live;
    const before = version();
    for (const id of [7, 9]) subscriptions.only.onStart(id);
    await settle();
    expect([live.find(held), await located, version() > before]).toEqual([2, 1, true]);
    expect(texts()).toEqual(['nine', 'one', 'two', 'three', 'four']);
    expect(requests).toEqual([{}, {}, { at: rfc3339(held.rank) }]);
    // The number of received lines never decreases: the search depends on it.
    expect(live.received).toBe(1);
  });

  it('requests a line that is not loaded by its source and number', async () => {
    subscriptions.isActive = true;
    newest = 1;
    live.open([source(7)]);
    await settle();
    const line = { ...(live.row(3) as LogLine), seq: 1 };
    expect([await live.locate(line), requests.at(-1)]).toEqual([1, { source: 7, seq: 1 }]);
  });

  it('puts the next row in the place of a removed one', async () => {
    others = [wire(2, 'nine'), wire(4, 'nine again')];
    subscriptions.isActive = true;
    live.open([source(7), source(9)]);
    await settle();
    const held = live.row(4) as LogLine;
    expect(held.text).toBe('three');
    live.open([source(9)], () => [held]);
    await settle();
    expect([texts(), live.find(held)]).toEqual([['nine', 'nine again'], 2]);
  });

  it('shows only the rows of a period, also of new sources', async () => {
    subscriptions.isActive = true;
    live.setPeriod({ from: EIGHT + 2000, to: null });
    live.open([source(7)]);
    await settle();
    expect([texts(), await live.locate({ source: 7, seq: 1 })]).toEqual([['two', 'three'], null]);
    others = [wire(1, 'nine'), wire(2, 'nine again')];
    live.open([source(7), source(9)]);
    await settle();
    expect(texts()).toEqual(['two', 'nine again', 'three']);
    live.setPeriod({ from: EIGHT + 3000, to: EIGHT + 9000 });
    subscriptions.only.onLines(7, [wire(10, 'ten')]);
    await settle();
    expect([texts(), live.arrived, live.received]).toEqual([['three'], 0, 1]);
    live.setPeriod({ from: null, to: null });
    expect([live.first, live.arrived, live.isBounded()]).toEqual([1, 1, false]);
  });

  it('keeps the rows until the bounds of the period are loaded, and requests them again later', async () => {
    subscriptions.isActive = true;
    live.open([source(7)]);
    await settle();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      fails = true;
      live.setPeriod({ from: EIGHT + 2000, to: null });
      await jest.advanceTimersByTimeAsync(10);
      expect([texts(), live.isBounded()]).toEqual([['one', 'two', 'three'], false]);
      fails = false;
      await jest.advanceTimersByTimeAsync(2000);
      expect([texts(), live.isBounded()]).toEqual([['two', 'three'], true]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('unsubscribes from all sources when none is selected', () => {
    live.open([source(7)]);
    live.open([]);
    expect([live.state(), subscriptions.listeners.size]).toEqual(['nothing selected', 0]);
  });
});
