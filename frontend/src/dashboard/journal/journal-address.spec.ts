import { describe, expect, it } from '@jest/globals';
import type { JournalListEntryDto } from '../../shared/api/api-types';
import {
  groupByDay,
  isFiltered,
  isInverted,
  kindChoices,
  kindLabel,
  pageNumbers,
  readView,
  toExport,
  toFilter,
  viewParams,
  WHOLE_JOURNAL,
} from './journal-address';

function read(address: string): ReturnType<typeof readView> {
  const params = new URLSearchParams(address);
  return readView((name) => params.get(name));
}

function entry(id: number, time: string): JournalListEntryDto {
  return {
    id,
    time,
    kind: 'create',
    cluster: 'staging',
    runtime: 'docker',
    subject: null,
    outcome: 'succeeded',
    message: 'Created.',
    job_id: id,
    duration_ms: 1000,
    actor: null,
    group_size: 1,
    group_failed: 0,
    has_diff: false,
  };
}

describe('readView, viewParams and toFilter', () => {
  it('default to the whole journal', () => {
    expect(read('')).toEqual(WHOLE_JOURNAL);
    expect(isFiltered(read('page=3'))).toBe(false);
  });

  it('round-trip all filters', () => {
    const view = {
      page: 4,
      size: 100,
      cluster: 'a.b-c',
      runtime: 'podman',
      kind: 'node-stopped',
      outcome: 'failed',
      text: 'exit 137',
      actor: '10.0.0.7',
      since: '2026-11-20',
      until: '2026-11-21',
    } as const;
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(viewParams(view))) {
      if (value !== null) params.set(name, String(value));
    }
    expect(read(params.toString())).toEqual(view);
    expect(isFiltered(view)).toBe(true);
  });

  it('omit defaults from the URL', () => {
    expect(Object.values(viewParams(WHOLE_JOURNAL)).every((value) => value === null)).toBe(true);
  });

  it.each([
    'page=0',
    'page=-1',
    'page=1e3',
    'size=31',
    'cluster=../x',
    'runtime=A',
    'kind=A',
    'outcome=toString',
    'since=yesterday',
    'since=2026-13-01',
    'until=0202-11-21',
  ])('ignore the invalid parameter %s', (address) => {
    expect(read(address)).toEqual(WHOLE_JOURNAL);
  });

  it.each([
    ['since=2026-11-21&until=2026-11-20', true],
    ['since=2026-11-20&until=2026-11-20', false],
    ['since=2026-11-20', false],
    ['until=2026-11-20', false],
  ])('detect an inverted period in %s: %s', (address, inverted) => {
    expect(isInverted(read(address))).toBe(inverted);
  });

  it('convert to the API’s filter', () => {
    expect(toFilter(read('page=3&size=50&kind=create'))).toEqual({
      limit: 50,
      offset: 100,
      grouped: true,
      kind: 'create',
    });
    expect(toFilter(WHOLE_JOURNAL)).toEqual({ limit: 30, offset: 0, grouped: true });
  });

  it('convert to an export of all pages and whole local days', () => {
    expect(toExport(read('page=3&actor=ada&since=2026-11-20&until=2026-12-31'))).toEqual({
      actor: 'ada',
      since: new Date(2026, 10, 20).toISOString(),
      until: new Date(2027, 0, 1).toISOString(),
    });
  });
});

describe('kindChoices', () => {
  it('groups kinds by family, including unknown ones', () => {
    const choices = kindChoices(['node-melted', 'addon', '']);
    const of = (family: string | null): string[] | undefined =>
      choices.find((each) => each.family === family)?.kinds;
    expect(of('addon')).toEqual(['addon-install', 'addon-upgrade', 'addon-rollback', 'addon-uninstall']);
    expect(of('node')).toEqual(expect.arrayContaining(['node-stopped', 'node-cordon', 'node-melted']));
    expect(of(null)).toEqual(expect.arrayContaining(['create', 'drain', 'secret-reveal']));
    expect([kindLabel('addon'), kindLabel('create'), kindLabel('node-melted')]).toEqual([
      'Addons',
      'Create',
      'Node melted',
    ]);
  });
});

describe('pageNumbers', () => {
  it.each([
    [1, 1, [1]],
    [1, 0, []],
    [1, 3, [1, 2, 3]],
    [1, 14, [1, 2, null, 14]],
    [7, 14, [1, null, 6, 7, 8, null, 14]],
    [4, 14, [1, 2, 3, 4, 5, null, 14]],
    [14, 14, [1, null, 13, 14]],
  ])('returns for page %i of %i: %j', (page, pages, numbers) => {
    expect(pageNumbers(page, pages)).toEqual(numbers);
  });
});

describe('groupByDay', () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();
  const at = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString();

  it('groups entries by local day', () => {
    const days = groupByDay(
      [
        entry(5, at(2026, 10, 21, 9)),
        entry(4, at(2026, 10, 21, 0)),
        entry(3, at(2026, 10, 20, 23)),
        entry(2, at(2026, 10, 12, 8)),
        entry(1, at(2025, 10, 12, 8)),
      ],
      now,
    );
    expect(days.map(({ title, entries }) => [title, entries.map(({ id }) => id)])).toEqual([
      ['Today, Saturday 21 November', [5, 4]],
      ['Yesterday, Friday 20 November', [3]],
      ['Thursday 12 November', [2]],
      ['12 November 2025', [1]],
    ]);
  });
});
