import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal, type WritableSignal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../../api/board-connection';
import { makeSource } from '../../../shared/testing/make-source';
import { LogSources } from '../sources/log-sources';
import { LiveLines } from './live-lines';
import { LogView } from './log-view';
import { SourceStyles } from '../sources/source-styles';
import { FakeLines } from './testing/fake-lines';

/** Tests the states of the view and the sources that it opens. LineList and the browser tests cover the rows. */
describe('LogView', () => {
  let fixture: ComponentFixture<LogView>;
  let lines: FakeLines;
  let state: WritableSignal<'connecting' | 'open' | 'lost'>;
  let known: WritableSignal<ReadonlyMap<number, LogSourceDto> | null>;
  let watched: number;
  const api = makeSource({ id: 7, key: 'container/docker/api' });
  const shop = makeSource({ id: 3, key: 'container/docker/shop' });

  beforeEach(() => {
    lines = new FakeLines();
    state = signal<'connecting' | 'open' | 'lost'>('connecting');
    known = signal<ReadonlyMap<number, LogSourceDto> | null>(null);
    watched = 0;
    const sources = { byId: known, all: () => [...(known()?.values() ?? [])] };
    TestBed.configureTestingModule({
      providers: [
        { provide: BoardConnection, useValue: { state, watch: () => (watched += 1) } },
        { provide: LogSources, useValue: sources },
        { provide: SourceStyles, useValue: {} },
      ],
    });
    TestBed.overrideComponent(LogView, { set: { providers: [{ provide: LiveLines, useValue: lines }] } });
    fixture = TestBed.createComponent(LogView);
    fixture.componentRef.setInput('keys', [api.key, shop.key]);
  });

  async function text(): Promise<string> {
    await fixture.whenStable();
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ').trim();
  }

  function know(...sources: LogSourceDto[]): void {
    known.set(new Map(sources.map((source) => [source.id, source])));
  }

  it('keeps the socket open, and opens the sources of its keys once they are known', async () => {
    await text();
    expect([watched, lines.opened]).toEqual([1, ['']]);
    know(api, makeSource({ id: 9, key: 'container/docker/other' }));
    await text();
    know(api, shop);
    await text();
    // Changes of rates and states open nothing.
    know({ ...api, rate: 12 }, shop);
    await text();
    expect(lines.opened).toEqual(['', '7 live', '7 live,3 live']);
    // Unless more lines may follow.
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

  it('is empty without keys', async () => {
    know(api);
    fixture.componentRef.setInput('keys', []);
    expect(await text()).toBe('');
  });

  it('shows that it waits for the sources, or that Slipway does not respond', async () => {
    expect(await text()).toContain('Loading lines');
    state.set('lost');
    expect(await text()).toContain('Not connected');
  });

  it('shows that a source does not exist', async () => {
    know(makeSource({ key: 'container/docker/other' }));
    expect(await text()).toContain('Source not found');
    know(api);
    lines.state.set('opening');
    expect(await text()).toContain('Loading lines');
  });

  it('shows a load error with a retry', async () => {
    know(api);
    lines.state.set('failed');
    lines.problem.set(new ApiProblem('storage_unavailable', 'The disk cannot be read.', 503));
    expect(await text()).toContain('Could not load the lines The disk cannot be read.');
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    expect(lines.tries).toBe(1);
  });

  it('shows why a single source has no lines, and waits for several', async () => {
    know({ ...api, state: 'failed', reason: 'The driver “none” keeps no log.' });
    lines.state.set('open');
    expect(await text()).toContain('No lines yet The driver “none” keeps no log.');
    know({ ...api, reason: 'It was left out.' });
    expect(await text()).toContain('New lines appear here.');
    know({ ...api, state: 'failed', reason: 'The driver “none” keeps no log.' }, shop);
    expect(await text()).toContain('New lines appear here.');
  });

  it('shows that a period has no lines, and opens for it once it is applied', async () => {
    know(api);
    lines.state.set('open');
    lines.setPeriod = () => undefined;
    const period = { from: 1000, to: 2000 };
    fixture.componentRef.setInput('period', period);
    const { componentInstance: view } = fixture;
    expect(await text()).toContain('No lines yet');
    expect(view.isOpen()).toBe(false);
    lines.isBounded.set(true);
    lines.applied.set(period);
    expect(await text()).toContain('No lines in this time range');
    expect([view.isOpen(), view.count()]).toEqual([true, 0]);
    expect(await view.goToLine({ source: 7, seq: 12 })).toBe('outside');
  });

  it('counts the received and the skipped lines', () => {
    lines.received = 5;
    lines.skipped = 1200;
    const { componentInstance: view } = fixture;
    expect([view.arrived(), view.skipped()]).toEqual([5, 1200]);
    lines.skipped = 1300;
    lines.version.update((version) => version + 1);
    expect(view.skipped()).toBe(1300);
  });
});
