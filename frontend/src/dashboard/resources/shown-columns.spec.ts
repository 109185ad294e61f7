import { signal } from '@angular/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TableRowDto } from '../../shared/api/api-types';
import { aColumn, aRow, aType } from '../../shared/testing/resource-records';
import { ShownColumns } from './shown-columns';

const PODS = { group: 'core', version: 'v1', plural: 'pods' };
const SERVED = [aColumn('Name'), aColumn('Status'), aColumn('IP', { priority: 1 })];

describe('ShownColumns', () => {
  const rows = signal<readonly TableRowDto[]>([]);
  const namespaces = signal<readonly string[]>([]);
  let columns: ShownColumns;

  beforeEach(() => {
    rows.set([]);
    namespaces.set([]);
    columns = makeColumns();
  });

  afterEach(() => localStorage.clear());

  function makeColumns(): ShownColumns {
    const feed = signal({ columns: signal(SERVED), usage: signal(false) });
    return new ShownColumns({ feed, rows, namespaces, type: signal(aType()), trends: signal(false) });
  }

  const shown = (): string[] => columns.shown().map(({ title }) => title);

  it('shows the default columns, and no namespace if there is one', () => {
    expect([shown(), columns.areDefault()]).toEqual([['Name', 'Namespace', 'Status'], true]);
    namespaces.set(['shop']);
    expect(shown()).toEqual(['Name', 'Status']);
  });

  it('restores the last choice of a kind', () => {
    columns.choose(PODS, ['IP']);
    expect([shown(), columns.areDefault()]).toEqual([['Name', 'IP'], false]);
    columns = makeColumns();
    columns.restore({ ...PODS, plural: 'services' });
    expect(columns.areDefault()).toBe(true);
    columns.restore(PODS);
    expect(shown()).toEqual(['Name', 'IP']);
    columns.choose(PODS, undefined);
    expect(shown()).toEqual(['Name', 'Namespace', 'Status']);
  });

  it('offers the labels of the rows, and keeps a chosen label that no row has', () => {
    rows.set([aRow({ labels: { app: 'web' } })]);
    expect(columns.all().map(({ title }) => title)).toContain('label:app');
    columns.choose(PODS, ['label:app']);
    rows.set([]);
    expect(shown()).toEqual(['Name', 'label:app']);
  });
});
