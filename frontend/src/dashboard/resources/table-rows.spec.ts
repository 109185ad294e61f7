import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TableRowDto } from '../../shared/api/api-types';
import { aRow } from '../../shared/testing/resource-records';
import { TableRows } from './table-rows';

describe('TableRows', () => {
  let shown: string[];
  let pauses: (() => void)[];
  let rows: TableRows;

  beforeEach(() => {
    shown = [];
    pauses = [];
    rows = new TableRows(
      (entries) => (shown = entries.map(({ row }) => row.name)),
      () => new Promise((resolve) => pauses.push(resolve)),
    );
  });

  function add(...names: string[]): void {
    rows.apply({ upserts: names.map((name) => aRow({ name, uid: name })), removed: [] });
  }

  const bySize = (row: TableRowDto): number => Number(row.cells[1] ?? 0);

  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
  }

  it('sorts by namespace and name, with natural number order', () => {
    add('web-10', 'web-9', 'api');
    rows.apply({ upserts: [aRow({ name: 'zeta', uid: 'z', namespace: 'a-first' })], removed: [] });
    expect(shown).toEqual(['zeta', 'api', 'web-9', 'web-10']);
  });

  it('applies changed, new and removed rows in order', async () => {
    add('a', 'b', 'c');
    await rows.arrange({ matches: () => true, keyOf: bySize, reversed: true });
    rows.apply({
      upserts: [
        aRow({ name: 'a', uid: 'a', cells: ['a', 5] }),
        aRow({ name: 'd', uid: 'd', cells: ['d', 9] }),
      ],
      removed: ['b'],
    });
    expect(shown).toEqual(['d', 'a', 'c']);
  });

  it('filters later rows too', async () => {
    add('web-1', 'api-1');
    await rows.arrange({ matches: ({ name }) => name.startsWith('web'), keyOf: null, reversed: false });
    add('web-2', 'api-2');
    expect(shown).toEqual(['web-1', 'web-2']);
    expect(rows.size).toBe(4);
  });

  it('counts a row once that occurs twice in one batch', () => {
    add('a', 'a');
    expect(shown).toEqual(['a']);
  });

  it('removes rows that are not in a new list', () => {
    add('a', 'b', 'c');
    rows.keepOnly(new Set(['a', 'c']));
    expect(shown).toEqual(['a', 'c']);
  });

  it('sorts in batches and includes changes made between them', async () => {
    const names = Array.from({ length: 2500 }, (_, index) => `row-${index}`);
    add(...names);
    const done = rows.arrange({ matches: () => true, keyOf: null, reversed: true });
    expect(pauses).toHaveLength(1);
    add('row-9999');
    rows.apply({ upserts: [], removed: ['row-3'] });
    while (pauses.length > 0) {
      pauses.splice(0).forEach((go) => go());
      await settle();
    }
    await done;
    expect(shown).toHaveLength(2500);
    expect(shown.slice(0, 2)).toEqual(['row-9999', 'row-2499']);
    expect(shown).not.toContain('row-3');
    expect(shown.at(-1)).toBe('row-0');
  });

  it('drops an order when a newer one arrives', async () => {
    add(...Array.from({ length: 1500 }, (_, index) => `row-${index}`));
    const first = rows.arrange({ matches: ({ name }) => name === 'row-1', keyOf: null, reversed: false });
    const second = rows.arrange({ matches: ({ name }) => name === 'row-2', keyOf: null, reversed: false });
    while (pauses.length > 0) {
      pauses.splice(0).forEach((go) => go());
      await settle();
    }
    await Promise.all([first, second]);
    expect(shown).toEqual(['row-2']);
  });
});
