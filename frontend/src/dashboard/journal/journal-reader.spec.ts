import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { ApiProblem } from '../../shared/api/api-problem';
import type { JournalListEntryDto, JournalPageDto } from '../../shared/api/api-types';
import { provideApi } from '../../shared/testing/fake-api';
import { type JournalFilter, WHOLE_JOURNAL } from './journal-address';
import { JournalReader } from './journal-reader';

function entry(id: number, message = `entry ${id}`): JournalListEntryDto {
  return {
    id,
    time: '2026-11-21T09:00:00.000Z',
    kind: 'create',
    cluster: 'staging',
    runtime: 'docker',
    subject: null,
    outcome: 'succeeded',
    message,
    job_id: id,
    duration_ms: 1,
    actor: null,
    group_size: 1,
    group_failed: 0,
    has_diff: false,
  };
}

/** A fake API with paging. */
class ScriptedJournal {
  entries: JournalListEntryDto[] = [];
  failing: ApiProblem | null = null;
  requests: JournalFilter[] = [];
  /** Holds responses back while it is set. */
  held: (() => void)[] | null = null;

  async journal(filter: JournalFilter): Promise<JournalPageDto> {
    this.requests.push(filter);
    const { limit = 30, offset = 0 } = filter;
    const { entries, failing, held } = this;
    if (held) await new Promise<void>((resolve) => held.push(resolve));
    if (failing) throw failing;
    return {
      entries: entries.slice(offset, offset + limit),
      total: entries.length,
      page: offset / limit + 1,
      total_pages: Math.ceil(entries.length / limit),
      limit,
      offset,
    };
  }
}

describe('JournalReader', () => {
  let api: ScriptedJournal;
  let reader: JournalReader;
  const shown = (): string[] | undefined => reader.shown()?.entries.map(({ message }) => message);

  beforeEach(() => {
    api = new ScriptedJournal();
    TestBed.configureTestingModule({
      providers: [
        JournalReader,
        provideApi({ 'GET /api/v1/journal/recent': (filter) => api.journal(filter) }),
      ],
    });
    reader = TestBed.inject(JournalReader);
  });

  it('counts new entries and updates shown ones in place', async () => {
    api.entries = [entry(2), entry(1)];
    await reader.open(WHOLE_JOURNAL);
    api.entries = [entry(1, 'entry 1 ended'), entry(4), entry(3), entry(2)];
    await reader.update();
    expect(shown()).toEqual(['entry 2', 'entry 1 ended']);
    expect(reader.fresh()).toBe(2);
    await reader.open(WHOLE_JOURNAL);
    expect(shown()).toHaveLength(4);
    expect(reader.fresh()).toBe(0);
  });

  it('shows the first entries of an empty journal', async () => {
    await reader.open(WHOLE_JOURNAL);
    api.entries = [entry(1)];
    await reader.update();
    expect(shown()).toEqual(['entry 1']);
    expect(reader.fresh()).toBe(0);
  });

  it('keeps the last page and the error until an update succeeds', async () => {
    api.entries = [entry(1)];
    await reader.open(WHOLE_JOURNAL);
    api.failing = new ApiProblem('offline', 'Slipway does not respond.', 0);
    await reader.update();
    expect(shown()).toEqual(['entry 1']);
    expect(reader.problem()?.code).toBe('offline');
    api.failing = null;
    await reader.update();
    expect(reader.problem()).toBeNull();
  });

  it('ignores an outdated response', async () => {
    api.entries = Array.from({ length: 40 }, (_, index) => entry(40 - index));
    api.held = [];
    const first = reader.open(WHOLE_JOURNAL);
    const second = reader.open({ ...WHOLE_JOURNAL, page: 2 });
    const [respondFirst, respondSecond] = api.held;
    respondSecond?.();
    await second;
    respondFirst?.();
    await first;
    expect(reader.shown()?.page).toBe(2);
    expect(reader.loading()).toBe(false);
  });

  it('combines updates during a request', async () => {
    api.entries = [entry(1)];
    await reader.open(WHOLE_JOURNAL);
    api.requests = [];
    await Promise.all([reader.update(), reader.update(), reader.update(), reader.update()]);
    expect(api.requests.length).toBeLessThanOrEqual(2);
  });
});
