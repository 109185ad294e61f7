import { describe, expect, it } from '@jest/globals';
import { aColumn, aRow } from '../../shared/testing/resource-records';
import { columnsOf, fittingColumns, keyIn, textOf, withTimes } from './table-columns';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const EVENTS = ['Last Seen', 'Type', 'Reason', 'Object', 'Message'].map((name) => aColumn(name));
EVENTS.push(aColumn('Count', { priority: 1 }), aColumn('Name', { priority: 1 }));

describe('columnsOf', () => {
  it('starts events with their reason, and shows when and how often they occurred', () => {
    const columns = columnsOf(EVENTS, { namespaced: true, usage: false });
    expect(columns.filter(({ isDefault }) => isDefault).map(({ title }) => title)).toEqual([
      'Reason',
      'Namespace',
      'Last Seen',
      'Type',
      'Object',
      'Message',
      'Count',
    ]);
    const cells = ['2m15s (x12 over 25m)', 'Warning', 'BackOff', 'pod/web-0', 'Back-off', '12', 'web-0.17f'];
    const [row = aRow()] = withTimes(EVENTS, [aRow({ name: 'web-0.17f', cells })], NOW);
    const textIn = (title: string, now: number): string => {
      const column = columns.find((each) => each.title === title);
      return column ? textOf(column, row, now) : '';
    };
    expect([textIn('Reason', NOW), textIn('Object', NOW)]).toEqual(['BackOff', 'pod/web-0']);
    expect([textIn('Last Seen', NOW), textIn('Last Seen', NOW + 60_000)]).toEqual(['2m', '3m']);
    const seen = columns.find(({ kind }) => kind === 'seen');
    const [later = aRow()] = withTimes(EVENTS, [aRow({ cells: ['5s'] })], NOW);
    expect(seen && Number(keyIn(seen, later)) < Number(keyIn(seen, row))).toBe(true);
  });
});

describe('fittingColumns', () => {
  it('shows invisible characters of names and cells as escapes', () => {
    const columns = columnsOf([aColumn('Name'), aColumn('Owner')], { namespaced: true, usage: false });
    const row = aRow({ name: 'x', namespace: 'shop\u200b', cells: ['web\u202e1', 'bob\u2066'] });
    const texts = columns.map((column) => textOf(column, row, 0));
    expect(texts).toEqual(expect.arrayContaining(['shop\\u200b', 'bob\\u2066']));
    expect(texts.join()).not.toMatch(/\p{Cf}/u);
  });

  it('shows a cell of several lines in one', () => {
    const columns = columnsOf([aColumn('Name'), aColumn('Message')], { namespaced: true, usage: false });
    const row = aRow({ name: 'x', cells: ['x\n', 'could not pull:\n\tno such host\u0007'] });
    const texts = columns.map((column) => textOf(column, row, 0));
    expect(texts).toContain('could not pull: no such host\\x07');
  });

  it('leaves out the least important columns first, and keeps the order', () => {
    const served = ['Name', 'Ready', 'Status', 'Restarts', 'Age'].map((name) => aColumn(name));
    const pods = columnsOf(served, { namespaced: true, usage: true, trends: true });
    const titlesIn = (rem: number): string[] => fittingColumns(pods, [aRow()], rem).map(({ title }) => title);
    const all = ['Name', 'Namespace', 'Ready', 'Status', 'Restarts', 'CPU', 'Memory', 'Age'];
    expect(titlesIn(100)).toEqual(all);
    expect(titlesIn(31)).toEqual(all.filter((title) => title !== 'Namespace'));
    expect(titlesIn(24)).toEqual(['Name', 'Ready', 'Status', 'Restarts', 'Age']);
    expect(titlesIn(1)).toEqual(['Name']);
  });

  it('leaves out sparklines before columns', () => {
    const pods = columnsOf([aColumn('Name')], { namespaced: false, usage: true, trends: true });
    const trendsIn = (rem: number): (boolean | undefined)[] =>
      fittingColumns(pods, [aRow()], rem).map(({ hasTrend }) => hasTrend);
    expect(trendsIn(100)).toEqual([undefined, true, true]);
    expect(trendsIn(20)).toEqual([undefined, false, false]);
  });

  it.each([
    [
      ['Name', 'Type', 'Cluster-IP', 'External-IP', 'Port(s)', 'Age'],
      ['Name', 'Type', 'Cluster-IP', 'Port(s)', 'Age'],
    ],
    [
      ['Name', 'Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'Age'],
      ['Name', 'Status', 'Capacity', 'Access Modes', 'Age'],
    ],
  ])('keeps the main columns of %j', (served, kept) => {
    const columns = columnsOf(
      served.map((name) => aColumn(name)),
      { namespaced: false, usage: false },
    );
    expect(fittingColumns(columns, [aRow()], 27).map(({ title }) => title)).toEqual(kept);
  });
});
