import { expect, it } from '@jest/globals';
import type { TableRow } from '../../../drivers/kubernetes/index.js';
import type { PrintedRow } from '../watch/printed-row.js';
import { newestFirst } from './newest-first.js';

it('sorts events by their last occurrence, also repeated ones', () => {
  const columns = [{ name: 'Last Seen', type: 'string', format: '', description: '', priority: 0 }];
  const event: TableRow = {
    uid: 'u',
    namespace: 'shop',
    name: 'web-0.17f',
    createdAt: null,
    deletedAt: null,
    labels: {},
    owner: null,
    cells: [],
  };
  const seen = (cell: string): PrintedRow => ({
    row: { ...event, cells: [cell] },
    health: 'ok',
    printedHealth: 'ok',
    printedAt: 0,
  });
  const sorted = newestFirst({ columns }, ['25m', '<unknown>', '36s (x10 over 25m)', '40s'].map(seen));
  expect(sorted.map(({ row }) => row.cells[0])).toEqual(['36s (x10 over 25m)', '40s', '25m', '<unknown>']);
});
