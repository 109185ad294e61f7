import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../../test/support/cpu-time.js';
import { LONG_CELLS } from '../../../../../test/support/hostile/long-texts.js';
import type { TableCell, TableColumn, TableRow } from '../../../drivers/kubernetes/index.js';
import { Ages, printDuration, readDuration } from './ages.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function columns(...names: string[]): TableColumn[] {
  return names.map((name) => ({ name, type: 'string', format: '', description: '', priority: 0 }));
}

function row(cells: TableCell[], createdAt: string | null = null): TableRow {
  return {
    uid: 'u',
    namespace: 'shop',
    name: 'web',
    createdAt,
    deletedAt: null,
    labels: {},
    owner: null,
    cells,
  };
}

describe('printDuration and readDuration', () => {
  // Results of `duration.HumanDuration`, from its own tests.
  it.each([
    [-2 * SECOND, '<invalid>'],
    [-SECOND, '0s'],
    [0, '0s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [9 * MINUTE + 59 * SECOND, '9m59s'],
    [10 * MINUTE + 30 * SECOND, '10m'],
    [3 * HOUR - SECOND, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [3 * DAY + 4 * HOUR, '3d4h'],
    [8 * DAY + 4 * HOUR, '8d'],
    [2 * 365 * DAY - SECOND, '729d'],
    [2 * 365 * DAY + 3 * DAY, '2y3d'],
    [8 * 365 * DAY + 3 * DAY, '8y'],
  ])('prints %d ms like kubectl: %s', (milliseconds, printed) => {
    expect(printDuration(milliseconds)).toBe(printed);
  });

  it.each([
    ['3d4h', 3 * DAY + 4 * HOUR],
    ['119s', 119 * SECOND],
    ['9m59s', 9 * MINUTE + 59 * SECOND],
    ['2y3d', 733 * DAY],
    ['0s', 0],
    ['<none>', undefined],
    ['<invalid>', undefined],
    ['', undefined],
    ['5', undefined],
    ['4h3d', undefined],
    [5, undefined],
    [null, undefined],
  ])('reads %j as %s', (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds);
  });
});

describe('Ages', () => {
  const printedAt = Date.parse('2026-01-01T00:00:00Z');
  const later = printedAt + 5 * MINUTE;

  it('keeps cells that were just printed', () => {
    const pod = row(['web', '10s'], '2025-12-31T23:59:40Z');
    expect(new Ages(columns('Name', 'Age')).at(pod, printedAt, printedAt + 999)).toBe(pod.cells);
  });

  it('derives Age from the creation time', () => {
    const pod = row(['web', '10s'], '2025-12-31T23:59:50Z');
    expect(new Ages(columns('Name', 'Age')).at(pod, printedAt, later)).toEqual(['web', '5m10s']);
  });

  it('updates the time of the last restart, not the number', () => {
    const ages = new Ages(columns('Name', 'Restarts', 'Age'));
    const created = '2025-12-31T23:00:00Z';
    expect(ages.at(row(['web', '5 (3m ago)', '60m'], created), printedAt, later)).toEqual([
      'web',
      '5 (8m ago)',
      '65m',
    ]);
    expect(ages.at(row(['web', '0', '60m'], created), printedAt, later)[1]).toBe('0');
  });

  it('updates Last Seen', () => {
    const ages = new Ages(columns('Last Seen', 'Type'));
    expect(ages.at(row(['73s', 'Normal']), printedAt, later)).toEqual(['6m13s', 'Normal']);
    expect(ages.at(row(['<unknown>', 'Normal']), printedAt, later)[0]).toBe('<unknown>');
    const repeated = row(['36s (x10 over 25m)', 'Warning']);
    expect(ages.at(repeated, printedAt, later)[0]).toBe('5m36s (x10 over 30m)');
  });

  it('increases the duration of a job until it is complete', () => {
    const ages = new Ages(columns('Status', 'Completions', 'Duration'));
    expect(ages.at(row(['Running', '0/1', '30s']), printedAt, later)[2]).toBe('5m30s');
    expect(ages.at(row(['Complete', '1/1', '30s']), printedAt, later)[2]).toBe('30s');
  });

  it('updates dates of custom kinds, and replaces timestamps by ages', () => {
    const date = { ...columns('Expires')[0], type: 'date' } as TableColumn;
    expect(new Ages([date]).at(row(['20m']), printedAt, later)).toEqual(['25m']);
    const [age] = [{ ...columns('Age')[0], type: 'date' }] as [TableColumn];
    const own = new Ages([age], true);
    const createdAt = new Date(printedAt - 10 * SECOND).toISOString();
    // Of another field, as old as the object, of neither, and without a value.
    expect(own.at(row(['6y332d'], createdAt), printedAt, later)).toEqual(['6y332d']);
    expect(own.at(row(['10s'], createdAt), printedAt, later)).toEqual(['5m10s']);
    expect(own.at(row([''], createdAt), printedAt, later)).toEqual(['']);
    // Of an API server without tables, and of a Role.
    expect(own.at(row([createdAt], createdAt), printedAt, later)).toEqual(['5m10s']);
    const roles = new Ages([{ ...age, name: 'Created At' }]);
    expect(roles.at(row([createdAt], createdAt), printedAt, later)).toEqual([createdAt]);
    const texts = new Ages(columns('Age', 'Last Seen', 'Duration', 'Restarts'), true);
    const cells = ['5m', '5m', '5m', '1 (5m ago)'];
    expect(texts.at(row(cells, createdAt), printedAt, later)).toEqual(cells);
    const created = '2025-12-31T23:59:50Z';
    const plain = row(['web', created], created);
    expect(new Ages(columns('Name', 'Age')).at(plain, printedAt, printedAt)).toEqual(['web', '10s']);
  });
});

describe('Ages of hostile cells', () => {
  it.each(LONG_CELLS)('takes no time for a cell with %s', (_, text) => {
    const ages = new Ages(columns('Restarts', 'Age', 'Last Seen'));
    const hostile = row([text, text, text]);
    expect(cpuTimeOf(() => ages.at(hostile, 0, MINUTE))).toBeLessThan(300);
  });
});
