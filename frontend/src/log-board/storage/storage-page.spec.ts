import { signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { provideRouter } from '@angular/router';
import { ApiProblem } from '../../shared/api/api-problem';
import type { LogSourceDto, LogStoreDto, LogStoreHealth } from '../../shared/api/api-types';
import { provideApi } from '../../shared/testing/fake-api';
import { makeSource } from '../../shared/testing/make-source';
import { aLogStore } from '../testing/make-log-store';
import { LogStoreState } from './log-store-state';
import { StoragePage } from './storage-page';

const VICTORIA_LOGS: Partial<LogStoreDto> = {
  kind: 'victorialogs',
  bytes_on_disk: null,
  capabilities: { deletion: 'hide', retention: 'database', regex: 're2' },
  retention: null,
};

describe('StoragePage', () => {
  const health = signal<LogStoreHealth | null>(null);
  let sources: LogSourceDto[];
  let read: () => Promise<LogStoreDto>;
  let fixture: ComponentFixture<StoragePage>;

  beforeEach(() => {
    sources = [];
    read = () => Promise.resolve(aLogStore());
    TestBed.configureTestingModule({
      providers: [
        provideRouter([]),
        provideApi({
          'GET /api/log-store': () => read(),
          'GET /api/sources': () => Promise.resolve(sources),
        }),
        { provide: LogStoreState, useValue: { health } },
      ],
    });
  });

  async function show(): Promise<string> {
    fixture = TestBed.createComponent(StoragePage);
    return await text();
  }

  async function text(): Promise<string> {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    }
    return (fixture.nativeElement as HTMLElement).innerHTML
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  }

  it('lists the sources with the most text first, with a link to their lines', async () => {
    expect(await show()).toContain('No lines are stored yet.');
    const stored = (index: number): LogSourceDto =>
      makeSource({ key: `k${index}`, name: `s${index}`, bytes: index * 1000, next_seq: index * 10 + 1 });
    sources = [...Array.from({ length: 12 }, (_, index) => stored(index + 1)), makeSource({ name: 'empty' })];
    sources[11] = { ...stored(12), state: 'gone', first_time: new Date(Date.now() - 90_000).toISOString() };
    expect(await show()).toMatch(/Since s12 deleted 12.0 kB 120 1 min ago s11 11.0 kB/);
    expect(await text()).toContain('2 sources with less text are not listed. All have 78.0 kB.');
    const links = [...(fixture.nativeElement as HTMLElement).querySelectorAll('td, th')].flatMap((cell) => [
      ...cell.querySelectorAll('a'),
    ]);
    expect([links.length, links[0]?.getAttribute('href')]).toEqual([10, '/logs?sources=k12']);
  });

  it('shows the used bytes and the limits of the embedded store with their variables', async () => {
    const shown = await show();
    expect(shown).toContain('Embedded in the data folder');
    expect(shown).toContain('812 MB of 2.0 GB');
    expect(shown).toContain('All sources 2.0 GB APP_LOG_HISTORY_SIZE');
    expect(shown).toContain('One source 200 MB APP_LOG_SOURCE_SIZE');
    expect(shown).toContain('Age 14 days APP_LOG_HISTORY_DAYS');
    expect(shown).toContain('Erases the lines');
    expect(shown).toContain('JavaScript');
    expect(shown).toContain('Waiting to be stored 0 B');
    expect(shown).not.toMatch(/Discarded|Notice/);
  });

  it('names the flags of VictoriaLogs, how it deletes and its regex syntax', async () => {
    read = () => Promise.resolve(aLogStore(VICTORIA_LOGS));
    const shown = await show();
    expect(shown).toContain('The database decides how long lines are kept.');
    expect(shown).toContain('-retentionPeriod');
    expect(shown).toContain('-retention.maxDiskSpaceUsageBytes');
    expect(shown).toContain('Hides the lines');
    expect(shown).toContain('RE2');
    expect(shown).not.toContain('APP_LOG_HISTORY_SIZE');
  });

  it('reloads when the server pushes another state', async () => {
    await show();
    const reason = 'No room is left on the disk.';
    read = () =>
      Promise.resolve(
        aLogStore({ state: 'degraded', reason, pending_bytes: 4_100_000, discarded_lines: 12 }),
      );
    health.set({ open: true, state: 'degraded', reason, notice: null });
    const shown = await text();
    expect(shown).toContain(`New lines are not stored yet ${reason}`);
    expect(shown).toContain('Waiting to be stored 4.1 MB');
    expect(shown).toContain('Discarded 12 lines');
  });

  it('shows an error with a button to retry, and keeps what was loaded', async () => {
    read = () => Promise.reject(new ApiProblem('offline', 'Slipway does not respond.', 0));
    expect(await show()).toContain('Could not load the state of the log store. Slipway does not respond.');
    read = () => Promise.resolve(aLogStore());
    (fixture.nativeElement as HTMLElement).querySelector('button')?.click();
    const shown = await text();
    expect(shown).toContain('812 MB');
    expect(shown).not.toContain('Could not load');
  });
});
