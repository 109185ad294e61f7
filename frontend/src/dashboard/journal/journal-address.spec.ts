import { describe, expect, it } from '@jest/globals';
import type { JournalEntryDto } from '../../shared/api/api-types';
import {
  groupByDay,
  isFiltered,
  isInverted,
  kindChoices,
  kindLabels,
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

function entry(id: number, time: string): JournalEntryDto {
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
  };
}

describe('the address of the journal', () => {
  it('is the whole journal where it says nothing', () => {
    expect(read('')).toEqual(WHOLE_JOURNAL);
    expect(isFiltered(read('page=3'))).toBe(false);
  });

  it('comes back as it was written', () => {
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

  it('says nothing of what goes without saying', () => {
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
  ])('leaves out %s, which the server would refuse', (address) => {
    expect(read(address)).toEqual(WHOLE_JOURNAL);
  });

  it.each([
    ['since=2026-11-21&until=2026-11-20', true],
    ['since=2026-11-20&until=2026-11-20', false],
    ['since=2026-11-20', false],
    ['until=2026-11-20', false],
  ])('%s: has an inverted period: %s', (address, inverted) => {
    expect(isInverted(read(address))).toBe(inverted);
  });

  it('becomes the question to the server', () => {
    expect(toFilter(read('page=3&size=50&kind=create'))).toEqual({ limit: 50, offset: 100, kind: 'create' });
    expect(toFilter(WHOLE_JOURNAL)).toEqual({ limit: 30, offset: 0 });
  });

  it('becomes an export of all pages, of whole days where the reader is', () => {
    expect(toExport(read('page=3&actor=ada&since=2026-11-20&until=2026-12-31'))).toEqual({
      actor: 'ada',
      since: new Date(2026, 10, 20).toISOString(),
      until: new Date(2027, 0, 1).toISOString(),
    });
  });
});

describe('the kinds to choose from', () => {
  it('stand together in their families, also one that is not known here', () => {
    const choices = kindChoices(['node-melted', 'addon', '']);
    const of = (family: string | null): string[] | undefined =>
      choices.find((each) => each.family === family)?.kinds;
    expect(of('addon')).toEqual(['addon-install', 'addon-upgrade', 'addon-rollback', 'addon-uninstall']);
    expect(of('node')).toEqual(expect.arrayContaining(['node-stopped', 'node-cordon', 'node-melted']));
    expect(of(null)).toEqual(expect.arrayContaining(['create', 'drain', 'secret-reveal']));
    expect([kindLabels('addon'), kindLabels('create'), kindLabels('node-melted')]).toEqual([
      'Addons',
      'Create',
      'Node melted',
    ]);
  });
});

describe('the pager', () => {
  it.each([
    [1, 1, [1]],
    [1, 0, []],
    [1, 3, [1, 2, 3]],
    [1, 14, [1, 2, null, 14]],
    [7, 14, [1, null, 6, 7, 8, null, 14]],
    [4, 14, [1, 2, 3, 4, 5, null, 14]],
    [14, 14, [1, null, 13, 14]],
  ])('on page %i of %i shows %j', (page, pages, numbers) => {
    expect(pageNumbers(page, pages)).toEqual(numbers);
  });
});

describe('days of the journal', () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();
  const at = (...parts: [number, number, number, number]): string => new Date(...parts).toISOString();

  it('puts entries under their day where the reader is', () => {
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
