import { describe, expect, it } from '@jest/globals';
import { LONG_CELLS } from '../../../../test/support/hostile/long-texts.js';
import { MAX_CELL, tableOf } from './table-response.js';

function tableWith(cell: unknown): string {
  return JSON.stringify({
    kind: 'Table',
    columnDefinitions: [{ name: 'Restarts' }],
    rows: [{ cells: [cell], object: { metadata: { name: 'a' } } }],
  });
}

describe('tableOf', () => {
  it.each(LONG_CELLS)('truncates a cell of 1.5 MB of %s', (_, text) => {
    for (const cell of [text, [text], { text }]) {
      const [row] = tableOf(tableWith(cell)).rows;
      expect(row?.cells).toEqual([expect.stringMatching(/\.\.\.$/)]);
      expect(String(row?.cells[0])).toHaveLength(MAX_CELL);
    }
  });

  it('keeps the digits of integers that a double would round', () => {
    const printed = (cell: string): unknown =>
      tableOf(tableWith(0).replace('"cells":[0]', `"cells":[${cell}]`)).rows[0]?.cells;
    expect(printed('9007199254740993')).toEqual(['9007199254740993']);
    expect(printed('{"serials":[9007199254740993]}')).toEqual(['{"serials":[9007199254740993]}']);
  });

  it('keeps other cells', () => {
    for (const cell of ['5 (3m ago)', 'x'.repeat(MAX_CELL), 5, true, null]) {
      expect(tableOf(tableWith(cell)).rows[0]?.cells).toEqual([cell]);
    }
  });
});
