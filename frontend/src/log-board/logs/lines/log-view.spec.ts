import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { signal, type WritableSignal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../board-connection';
import { makeSource } from '../testing/make-source';
import { LogSources } from '../tree/log-sources';
import { MAKE_LIVE_LINES, type OpenedSource, type OpeningState } from './live-lines';
import { LogView } from './log-view';
import { SourceStyles } from './source-styles';

/** Lines of which there are none yet; a call that a view without rows has no use for is a mistake. */
class FakeLines {
  readonly version = signal(0);
  readonly state = signal<OpeningState>('nothing chosen');
  readonly problem = signal<ApiProblem | null>(null);
  readonly unfollowed = signal(0);
  readonly opened: string[] = [];
  readonly located: number[] = [];
  ids: readonly number[] = [];
  first = 1;
  end = 1;
  arrived = 0;
  skipped = 0;
  tries = 0;
  hasRoom = true;

  holds(id: number): boolean {
    return this.ids.includes(id);
  }

  leavesRoomFor(): boolean {
    return this.hasRoom;
  }

  standStill(): void {
    this.opened.push('standing still');
  }

  close(): void {
    this.opened.push('closed');
  }

  shows(sources: readonly OpenedSource[]): boolean {
    return sources.map(({ id }) => id).join() === this.ids.join();
  }

  open(sources: readonly OpenedSource[]): void {
    this.ids = sources.map(({ id }) => id);
    this.opened.push(sources.map(({ id, state }) => `${id} ${state}`).join());
  }

  synchronize(): Promise<void> {
    this.tries += 1;
    return Promise.resolve();
  }

  locateTime(time: number): Promise<number> {
    this.located.push(time);
    return Promise.resolve(1);
  }

  locate(): Promise<number> {
    return Promise.resolve(4);
  }

  row(): undefined {
    return undefined;
  }
}

/**
 * What the view says while there are no rows to show, and which sources it opens; its rows are the list's affair, and
 * both together that of the browser.
 */
describe('the view of logs', () => {
  let fixture: ComponentFixture<LogView>;
  /** The first of those that were made. */
  let lines: FakeLines;
  let made: FakeLines[];
  let state: WritableSignal<'connecting' | 'open' | 'lost'>;
  let known: WritableSignal<ReadonlyMap<number, LogSourceDto> | null>;
  let watched: number;
  const api = makeSource({ id: 7, key: 'container/docker/api' });
  const shop = makeSource({ id: 3, key: 'container/docker/shop' });

  beforeEach(() => {
    lines = new FakeLines();
    made = [];
    state = signal<'connecting' | 'open' | 'lost'>('connecting');
    known = signal<ReadonlyMap<number, LogSourceDto> | null>(null);
    watched = 0;
    const sources = { byId: known, all: () => [...(known()?.values() ?? [])] };
    TestBed.configureTestingModule({
      providers: [
        { provide: BoardConnection, useValue: { state, watch: () => (watched += 1) } },
        { provide: LogSources, useValue: sources },
        { provide: SourceStyles, useValue: {} },
        { provide: MAKE_LIVE_LINES, useValue: makeLines },
      ],
    });
    fixture = TestBed.createComponent(LogView);
    fixture.componentRef.setInput('keys', [api.key, shop.key]);
  });

  function makeLines(): FakeLines {
    const next = made.length === 0 ? lines : new FakeLines();
    made.push(next);
    return next;
  }

  async function text(): Promise<string> {
    await fixture.whenStable();
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ').trim();
  }

  function know(...sources: LogSourceDto[]): void {
    known.set(new Map(sources.map((source) => [source.id, source])));
  }

  it('keeps the socket open, and opens the sources of its keys as they become known', async () => {
    await text();
    expect([watched, lines.opened]).toEqual([1, ['']]);
    know(api, makeSource({ id: 9, key: 'container/docker/other' }));
    await text();
    know(api, shop);
    await text();
    // How they stand changes often: that opens nothing anew.
    know({ ...api, rate: 12 }, shop);
    await text();
    expect(lines.opened).toEqual(['', '7 live', '7 live,3 live']);
    // But for whether there may be more.
    know({ ...api, rate: 0, state: 'gone', next_seq: 5 }, { ...shop, next_seq: 9 });
    await text();
    know({ ...api, rate: 0, state: 'gone', next_seq: 5, bytes: 12 }, { ...shop, next_seq: 12 });
    await text();
    expect(lines.opened.slice(3)).toEqual(['7 gone,3 live']);
    know({ ...api, state: 'gone', next_seq: 6 }, shop);
    await text();
    know({ ...api, next_seq: 6 }, shop);
    await text();
    expect(lines.opened.slice(4)).toEqual(['7 gone,3 live', '7 live,3 live']);
  });

  it('says nothing where nothing is chosen', async () => {
    fixture.componentRef.setInput('keys', []);
    expect(await text()).toBe('');
  });

  it('says that it waits for the sources, or that nobody answers', async () => {
    expect(await text()).toContain('Loading lines');
    state.set('lost');
    expect(await text()).toContain('Not connected');
  });

  it('says that what was chosen is not there', async () => {
    know(makeSource({ key: 'container/docker/other' }));
    expect(await text()).toContain('Source not found');
    know(api);
    lines.state.set('opening');
    expect(await text()).toContain('Loading lines');
  });

  it('says why lines could not be read, and tries again', async () => {
    know(api);
    lines.state.set('failed');
    lines.problem.set(new ApiProblem('storage_unavailable', 'The disk cannot be read.', 503));
    expect(await text()).toContain('Could not load the lines The disk cannot be read.');
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    expect(lines.tries).toBe(1);
  });

  it('says why nothing comes of a single source that is not read, and of others that it waits', async () => {
    know({ ...api, state: 'failed', reason: 'The driver “none” keeps no log.' });
    lines.state.set('open');
    expect(await text()).toContain('No lines yet The driver “none” keeps no log.');
    know({ ...api, reason: 'It was left out.' });
    expect(await text()).toContain('New lines appear here.');
    know({ ...api, state: 'failed', reason: 'The driver “none” keeps no log.' }, shop);
    expect(await text()).toContain('New lines appear here.');
  });

  it('says that nothing was written in a period', async () => {
    know(api);
    lines.state.set('open');
    fixture.componentRef.setInput('period', { from: 1000, to: 2000 });
    await text();
    expect(await text()).toContain('No lines in this time range');
    expect(lines.located).toEqual([1000, 2000]);
    fixture.componentRef.setInput('period', { from: null, to: null });
    expect(await text()).toContain('No lines yet');
  });

  it('is open where nothing was written in a period, and says of a line that it is outside', async () => {
    know(api);
    lines.state.set('open');
    fixture.componentRef.setInput('period', { from: 1000, to: 2000 });
    const { componentInstance: view } = fixture;
    // Until it is known what the period holds, nothing is shown in it.
    expect(view.isOpen()).toBe(false);
    await text();
    await text();
    expect(view.isOpen()).toBe(true);
    expect(await view.goToLine(7, 12)).toBe('outside');
  });

  it('shows what it has until lines of other sources can take its place', async () => {
    know(api);
    lines.state.set('open');
    lines.arrived = 3;
    expect(await text()).toContain('No lines yet');
    know(api, shop);
    expect(await text()).toContain('No lines yet');
    expect(made.map(({ opened }) => opened)).toEqual([['7 live'], ['7 live,3 live']]);
    // Whether there may be more of them is told to those that come.
    know(api, { ...shop, state: 'gone' });
    await text();
    expect(made.map(({ opened }) => opened)).toEqual([['7 live'], ['7 live,3 live', '7 live,3 gone']]);
    const [, next] = made;
    if (!next) throw new Error('nothing was made');
    next.arrived = 2;
    next.state.set('open');
    await text();
    await text();
    expect([lines.opened.at(-1), next.opened.length, made.length]).toEqual(['closed', 2, 2]);
    // What came before is not forgotten: whoever looks at the number sees that there is more.
    expect(fixture.componentInstance.arrived()).toBe(5);
    next.state.set('failed');
    expect(await text()).toContain('Could not load the lines');
    fixture.destroy();
    expect(next.opened.at(-1)).toBe('closed');
  });

  it('goes to a line of a source that is on its way once that is there', async () => {
    know(api);
    lines.state.set('open');
    lines.locate = () => Promise.reject(new Error('it knows nothing of it'));
    await text();
    know(api, shop);
    await text();
    const going = fixture.componentInstance.goToLine(shop.id, 1);
    await text();
    made[1]?.state.set('open');
    await text();
    await text();
    expect(await going).toBeNull();
  });

  it('bounds the lines by the period later, where that cannot be asked for at once', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'requestAnimationFrame'] });
    try {
      know(api);
      lines.state.set('open');
      const ask = lines.locateTime.bind(lines);
      lines.locateTime = () => Promise.reject(new Error('no answer'));
      fixture.componentRef.setInput('period', { from: 1000, to: 2000 });
      fixture.detectChanges();
      await jest.advanceTimersByTimeAsync(10);
      lines.locateTime = ask;
      await jest.advanceTimersByTimeAsync(2000);
      expect(lines.located).toEqual([1000, 2000]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets go of those that were to come where others are to be shown by then', async () => {
    know(api, shop);
    lines.state.set('open');
    await text();
    lines.hasRoom = false;
    know(api);
    await text();
    know(api, shop);
    await text();
    expect(made.map(({ opened }) => opened)).toEqual([
      ['7 live,3 live', 'standing still', '7 live,3 live'],
      ['7 live', 'closed'],
    ]);
    // Of none of those that are shown, nothing is kept.
    know();
    await text();
    expect([lines.opened.at(-1), made.length]).toEqual(['', 2]);
  });

  it('shows a period of the lines that come as soon as they do', async () => {
    know(api);
    lines.state.set('open');
    fixture.componentRef.setInput('period', { from: 1000, to: 2000 });
    await text();
    know(api, shop);
    await text();
    const [, next] = made;
    next?.state.set('open');
    await text();
    await text();
    expect([lines.opened.at(-1), next?.located, fixture.componentInstance.isOpen()]).toEqual([
      'closed',
      [1000, 2000],
      true,
    ]);
  });

  it('tells how many lines the page was too slow for', async () => {
    await text();
    lines.skipped = 1200;
    lines.version.update((version) => version + 1);
    expect([fixture.componentInstance.skipped(), fixture.componentInstance.count()]).toEqual([1200, 0]);
  });
});
