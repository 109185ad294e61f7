import { describe, expect, it } from '@jest/globals';
import { readTableView, tableParams } from '../resource-model/resource-address';
import { statusCounts } from './status-counts';

describe('statusCounts', () => {
  it('counts rows per status, the worst first', () => {
    expect(statusCounts(['ok', 'failed', 'ok', 'none', 'progressing'], null)).toEqual([
      { health: 'failed', count: 1 },
      { health: 'progressing', count: 1 },
      { health: 'ok', count: 2 },
    ]);
  });

  it('keeps the chosen status when no row has it', () => {
    expect(statusCounts([], 'failed')).toEqual([{ health: 'failed', count: 0 }]);
    expect(statusCounts(['none'], null)).toEqual([]);
  });
});

describe('status in the URL', () => {
  it.each([
    ['failed', 'failed'],
    ['none', null],
    ['<b>', null],
  ])('reads %s as %s', (text, status) => {
    const view = readTableView((name) => (name === 'status' ? text : null));
    expect(view.status).toBe(status);
    expect(tableParams(view)).toMatchObject({ status });
  });
});
