import { describe, expect, it } from '@jest/globals';
import {
  chipsOf,
  EMPTY_QUERY,
  filterParameters,
  isSearch,
  isSearchable,
  moment,
  queryParameters,
  readPage,
  readQuery,
  typedText,
  withEntry,
  withField,
  withoutField,
} from './log-query';

function address(query: string): URLSearchParams {
  return new URLSearchParams(query);
}

describe('LogQuery', () => {
  it('round-trips through the address', () => {
    const query = {
      text: 'time out',
      regex: true,
      matchCase: true,
      without: ['/healthz', 'a,b'],
      levels: ['warn', 'none'] as const,
      streams: ['stderr'] as const,
      fields: [{ name: 'status', value: '504:x' }],
      withoutFields: [{ name: 'method', value: '' }],
      conditions: ['status>=500', 'a OR b', 'pod:api-*x'],
      scope: 'system' as const,
      marks: ['o-1'],
      from: '15m',
      to: null,
    };
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(queryParameters(query))) {
      for (const part of value === null ? [] : [value].flat()) parameters.append(name, part);
    }
    expect(readQuery(parameters)).toEqual(query);
    expect(readQuery(address(''))).toEqual(EMPTY_QUERY);
  });

  it('narrows only an address without a choice of its own', () => {
    const read = (query: string): string | null =>
      readPage(Object.assign(address(query), { keys: [...address(query).keys()] })).scope;
    expect([read(''), read('pane=patterns'), read('q=a'), read('sources=x'), read('scope=all')]).toEqual([
      ...['apps', 'apps'],
      ...[null, null, null],
    ]);
    expect([read('scope=system'), read('query=scope:apps a')]).toEqual(['system', 'apps']);
  });

  it('sends the scope as a condition, without counting it as a search', () => {
    const query = { ...EMPTY_QUERY, scope: 'apps' as const };
    expect(filterParameters(query, null)).toEqual({ query: 'scope:apps', case: false });
    expect(filterParameters({ ...query, conditions: ['a OR b'] }, null).query).toBe('scope:apps (a OR b)');
    expect(isSearch(query)).toBe(false);
    expect(queryParameters({ ...query, conditions: ['a OR b'] })).toMatchObject({
      query: 'a OR b',
      scope: 'apps',
    });
  });

  it('ignores invalid parameters', () => {
    const odd = address(
      'level=loud,error&stream=stdin&field=nothing&without_field=x&from=yesterday&to=2026-11-21&regex=yes',
    );
    expect(readQuery(odd)).toEqual({ ...EMPTY_QUERY, levels: ['error'] });
  });

  it('sends the API only its conditions, without marks', () => {
    const query = { ...EMPTY_QUERY, marks: ['x'] };
    expect(filterParameters(query, [3, 4])).toEqual({ sources: '3,4' });
    expect(isSearch(query)).toBe(false);
    expect(isSearch({ ...EMPTY_QUERY, from: '15m' })).toBe(false);
    const errors = { ...EMPTY_QUERY, streams: ['stderr' as const] };
    expect(filterParameters(errors, [3])).toEqual({ sources: '3', stream: 'stderr' });
    expect(isSearch(errors)).toBe(true);
    expect(filterParameters({ ...EMPTY_QUERY, text: 'a', fields: [{ name: 'b', value: 'c' }] }, [3])).toEqual(
      {
        sources: '3',
        q: 'a',
        regex: false,
        case: false,
        field: ['b:c'],
      },
    );
  });

  it.each([
    ['timeout', { text: 'timeout' }],
    ['"time out"', { text: 'time out' }],
    ['/a|b/', { text: 'a|b', regex: true }],
    ['timeout -healthz', { text: 'timeout', without: ['healthz'] }],
    ['time out', { conditions: ['time', 'out'] }],
    ['/time.*out/ -ledger', { text: 'time.*out', regex: true, without: ['ledger'] }],
    ['/a/ /b/', { conditions: ['/a/', '/b/'] }],
    ['-"a b" without:c', { without: ['a b', 'c'] }],
    ['level=error timeout', { levels: ['error'], text: 'timeout' }],
    ['stream:stderr timeout', { streams: ['stderr'], text: 'timeout' }],
    ['level:error,fatal', { levels: ['error', 'fatal'] }],
    ['level>=warn', { conditions: ['level>=warn'] }],
    ['-level:debug', { conditions: ['-level:debug'] }],
    ['level:loud', { conditions: ['level:loud'] }],
    ['status=504 upstream', { conditions: ['status=504'], text: 'upstream' }],
    ['name="a b"  status!=504', { conditions: ['name="a b"', 'status!=504'] }],
    ['a OR b', { conditions: ['a OR b'] }],
    ['(a OR b) c*d', { conditions: ['a OR b', 'c*d'] }],
    ['http://shop/x', { text: 'http://shop/x' }],
    ['a = b', { conditions: ['a', '=', 'b'] }],
    ['last:15m', { from: '15m' }],
    ['last:15min a', { from: '15m', text: 'a' }],
    ['mark:o-1 mark:"a b"', { marks: ['o-1', 'a b'] }],
    ['  ', {}],
    ['- ', { text: '-' }],
  ])('understands %s', (typed, change) => {
    expect(withEntry(EMPTY_QUERY, typed)).toEqual({ ...EMPTY_QUERY, ...change });
  });

  it('keeps earlier conditions, and the text of the field as it is typed', () => {
    const first = withEntry(EMPTY_QUERY, '"time out" status>=500') ?? EMPTY_QUERY;
    expect(typedText(first)).toBe('"time out"');
    const second = withEntry(first, `${typedText(first)} -pod:api`) ?? EMPTY_QUERY;
    expect(second).toEqual({ ...EMPTY_QUERY, text: 'time out', conditions: ['status>=500', '-pod:api'] });
    expect(filterParameters(second, null)).toEqual({
      ...{ q: 'time out', regex: false, case: false },
      query: 'status>=500 -pod:api',
    });
    expect(readQuery(address('query=level:error+timeout+a:1'))).toEqual({
      ...EMPTY_QUERY,
      levels: ['error'],
      text: 'timeout',
      conditions: ['a:1'],
    });
  });

  it('reads what is typed as one regex where regexes are switched on', () => {
    const regex = { ...EMPTY_QUERY, regex: true };
    expect(withEntry(regex, 'a=1 b')).toEqual({ ...regex, text: 'a=1 b' });
    expect(withEntry(regex, '/a b/')).toEqual({ ...regex, text: 'a b' });
  });

  it('keeps a regex between slashes in the field, and reads what is typed over it as any query', () => {
    for (const text of ['a|b', '/v1/orders', 'GET /orders/.+? took ', '\\/a b/']) {
      const regex = { ...EMPTY_QUERY, text, regex: true };
      const typed = typedText(regex);
      expect(withEntry(regex, '[error] -x')).toEqual({ ...EMPTY_QUERY, text: '[error]', without: ['x'] });
      const again = withEntry(regex, `${typed} -x`) ?? EMPTY_QUERY;
      expect([again.regex, again.without, typedText(again)]).toEqual([true, ['x'], typed]);
      expect(new RegExp(again.text).source).toBe(new RegExp(text).source);
    }
  });

  it('rejects an invalid time range', () => {
    expect(withEntry(EMPTY_QUERY, 'last:week')).toBeNull();
  });

  it('filters by one value of a field, or excludes several', () => {
    const [two, four] = ['200', '404'].map((value) => ({ name: 'status', value }));
    if (!two || !four) throw new Error('no fields');
    const without = withoutField(withoutField(withField(EMPTY_QUERY, two), two), four);
    expect(without).toEqual({ ...EMPTY_QUERY, withoutFields: [two, four] });
    expect(isSearch(without)).toBe(true);
    expect(filterParameters(without, [1])).toEqual({
      sources: '1',
      without_field: ['status:200', 'status:404'],
    });
    const other = withoutField(without, { name: 'method', value: 'GET' });
    expect(withField(other, four)).toEqual({
      ...EMPTY_QUERY,
      fields: [four],
      withoutFields: [{ name: 'method', value: 'GET' }],
    });
    expect([isSearchable(two), isSearchable({ name: 'a:b', value: '' })]).toEqual([true, true]);
    expect(isSearchable({ name: 'a', value: 'b'.repeat(999) })).toBe(false);
  });

  it('has a chip for each removable part', () => {
    const query = {
      ...EMPTY_QUERY,
      levels: ['error' as const],
      streams: ['stdout' as const, 'stderr' as const],
      from: '2h',
      without: ['a'],
      withoutFields: [{ name: 'c', value: 'd' }],
      marks: ['b'],
    };
    const chips = chipsOf(query, (time) => time);
    expect(chips.map(({ word, value }) => `${word} ${value}`)).toEqual([
      'level error',
      'stream stdout, stderr',
      'last 2 h',
      'without a',
      'c ≠ d',
      'mark b',
    ]);
    expect(chips[1]?.rest).toEqual({ ...query, streams: [] });
    expect(chips[2]?.rest).toEqual({ ...query, from: null });
    const zoomed = { ...EMPTY_QUERY, from: '2026-11-21T09:00:00Z', to: '2026-11-21T10:00:00Z' };
    expect(chipsOf(zoomed, (time) => time.slice(11, 16))[0]?.value).toBe('09:00 to 10:00');
  });

  it('computes the start of a relative period', () => {
    expect(moment('15m', 1_000_000_000)).toBe((1_000_000_000 - 900_000) * 1000);
    expect(moment('1970-01-01T00:00:01Z', 5)).toBe(1_000_000);
  });
});
