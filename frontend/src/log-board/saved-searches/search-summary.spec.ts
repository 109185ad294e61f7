import { describe, expect, it } from '@jest/globals';
import { searchParams, searchSummary } from './search-summary';

describe('search summary', () => {
  it('lists the conditions, not the view options', () => {
    expect(searchSummary('q=time%20out&level=error&wrap=true&mark=x')).toBe('with “time out”, level error');
    expect(searchSummary('q=time ?out&regex=1&from=15m&field=status:504&without=health')).toBe(
      'matching “time ?out”, last 15 min, without “health”, status = 504',
    );
    expect(searchSummary('level=warn,error,none&sources=pod/a/1,pod/a/2')).toBe(
      'level warn, error, no level, of 2 sources',
    );
    expect(searchSummary('sources=pod/a/1')).toBe('of 1 source');
    expect(searchSummary('cluster=payments-dev&workload=api')).toBe('cluster payments-dev, workload api');
    expect(searchSummary('of=cluster:dev;namespace:shop&of=runtime:podman;container:*&sources=pod/a/1')).toBe(
      'cluster dev, namespace shop or engine podman, not in a cluster or 1 source',
    );
    expect(searchSummary('')).toBe('All lines');
    expect(searchSummary('from=15m&without_field=status:200')).toBe('last 15 min, status ≠ 200');
  });

  it('turns the query into router parameters', () => {
    expect(searchParams('q=a%26b&field=x:1&field=y:2')).toEqual({ q: 'a&b', field: ['x:1', 'y:2'] });
    // A relative period stays relative.
    expect(searchParams('from=15m')).toEqual({ from: '15m' });
    expect(searchParams('')).toEqual({});
  });
});
