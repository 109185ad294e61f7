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
  entry('actions', 'Stop staging', { whenAsked: true }),
  entry('actions', 'Delete staging', { whenAsked: true }),
];

function found(query: string): string[] {
  return rankEntries(ENTRIES, query).flatMap(({ entries }) => entries.map(({ entry: { text } }) => text));
}

describe('the order of what the palette finds', () => {
  it('offers everything but what has to be asked for, in the groups’ order, before something is typed', () => {
    expect(found('  ')).toEqual(['staging', 'payments-stage', 'Journal', 'Jobs', 'Create a cluster']);
  });

  it.each([
    [
      'a whole text before its beginning, a word’s beginning before its middle',
      'stag',
      ['staging', 'payments-stage', 'Stop staging', 'Delete staging'],
    ],
    ['every word, in any order', 'stag sto', ['Stop staging', 'payments-stage']],
    ['the best group first', 'jo', ['Journal', 'Jobs']],
    ['what stands beside, after what is in the text', 'podman', ['payments-stage']],
    ['further words', 'audit', ['Journal']],
    ['letters that are scattered', 'dstg', ['Delete staging']],
    ['any case', 'JOB', ['Jobs']],
    ['nothing', 'zebra', []],
  ])('puts %s', (_what, query, texts) => {
    expect(found(query).sort()).toEqual([...texts].sort());
    expect(found(query)[0]).toBe(texts[0]);
  });

  it('leaves what the server found as it found it, also where the text does not hold what was typed', () => {
    const names = ['web', 'web-0'].map((name) => entry('names', name, { found: true }));
    const [group] = rankEntries([entry('names', 'old'), ...names], 'shop/web');
    expect(group?.entries.map(({ entry: { text } }) => text)).toEqual(['web', 'web-0']);
  });

  it('marks what was typed', () => {
    const [group] = rankEntries(ENTRIES, 'pay stage');
    expect(group?.entries[0]?.parts).toEqual([
      { text: 'pay', hit: true },
      { text: 'ments-', hit: false },
      { text: 'stage', hit: true },
    ]);
  });

  it('shows the best of many, and says how many there are beside', () => {
    const many = Array.from({ length: 30 }, (_, index) => entry('clusters', `node-${index}`));
    const [group] = rankEntries([...many, entry('clusters', 'node')], 'node');
    expect(group?.entries[0]?.entry.text).toBe('node');
    expect(group?.entries).toHaveLength(7);
    expect(group?.more).toBe(24);
  });
});
