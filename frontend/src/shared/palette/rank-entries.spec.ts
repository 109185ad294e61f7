import { describe, expect, it } from '@jest/globals';
import type { PaletteEntry } from './palette-entry';
import { rankEntries } from './rank-entries';

function entry(group: PaletteEntry['group'], text: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  return { id: `${group} ${text}`, group, icon: 'box', text, detail: '', run: () => undefined, ...more };
}

const ENTRIES = [
  entry('clusters', 'staging', { detail: 'Running, docker' }),
  entry('clusters', 'payments-stage', { detail: 'Stopped, podman' }),
  entry('pages', 'Journal', { words: 'history audit' }),
  entry('pages', 'Jobs'),
  entry('actions', 'Create a cluster', { words: 'new' }),
  entry('actions', 'Stop staging', { searchOnly: true }),
  entry('actions', 'Delete staging', { searchOnly: true }),
];

function found(query: string): string[] {
  return rankEntries(ENTRIES, query).flatMap(({ entries }) => entries.map(({ entry: { text } }) => text));
}

describe('rankEntries', () => {
  it('lists all entries that are not search-only, in group order, without a query', () => {
    expect(found('  ')).toEqual(['staging', 'payments-stage', 'Journal', 'Jobs', 'Create a cluster']);
  });

  it.each([
    [
      'exact matches before prefixes before substrings',
      'stag',
      ['staging', 'payments-stage', 'Stop staging', 'Delete staging'],
    ],
    ['all words in any order', 'stag sto', ['Stop staging', 'payments-stage']],
    ['the best group first', 'jo', ['Journal', 'Jobs']],
    ['matches in details', 'podman', ['payments-stage']],
    ['matches in additional terms', 'audit', ['Journal']],
    ['scattered letters', 'dstg', ['Delete staging']],
    ['any case', 'JOB', ['Jobs']],
    ['no matches', 'zebra', []],
  ])('ranks %s', (_what, query, texts) => {
    expect(found(query).sort()).toEqual([...texts].sort());
    expect(found(query)[0]).toBe(texts[0]);
  });

  it('keeps the order of server results, even if their text does not match', () => {
    const names = ['web', 'web-0'].map((name) => entry('names', name, { found: true }));
    const [group] = rankEntries([entry('names', 'old'), ...names], 'shop/web');
    expect(group?.entries.map(({ entry: { text } }) => text)).toEqual(['web', 'web-0']);
  });

  it('marks the matching parts', () => {
    const [group] = rankEntries(ENTRIES, 'pay stage');
    expect(group?.entries[0]?.parts).toEqual([
      { text: 'pay', hit: true },
      { text: 'ments-', hit: false },
      { text: 'stage', hit: true },
    ]);
  });

  it('limits each group and counts the remaining matches', () => {
    const many = Array.from({ length: 30 }, (_, index) => entry('clusters', `node-${index}`));
    const [group] = rankEntries([...many, entry('clusters', 'node')], 'node');
    expect(group?.entries[0]?.entry.text).toBe('node');
    expect(group?.entries).toHaveLength(7);
    expect(group?.more).toBe(24);
  });
});
