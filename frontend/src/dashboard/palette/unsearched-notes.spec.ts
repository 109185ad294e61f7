import { describe, expect, it } from '@jest/globals';
import { unsearchedNotes } from './unsearched-notes';

function unsearched(...names: string[]): Parameters<typeof unsearchedNotes>[0]['clusters'] {
  return names.map((cluster) => ({ cluster, runtime: 'docker', searched: false, reason: 'it is stopped' }));
}

describe('what a search says that it left out', () => {
  it('is nothing where every cluster was searched', () => {
    const clusters = [{ cluster: 'staging', runtime: 'docker', searched: true, reason: null }];
    expect(unsearchedNotes({ clusters, truncated: false })).toEqual([]);
  });

  it('is each cluster with its reason, of many the first ones, and that there is more', () => {
    const slow = { cluster: 's', runtime: 'docker', searched: true, reason: '12 of 54 kinds were searched.' };
    expect(unsearchedNotes({ clusters: [slow], truncated: false })).toEqual([
      's was not searched whole: 12 of 54 kinds were searched.',
    ]);
    expect(unsearchedNotes({ clusters: unsearched('a', 'b', 'c', 'd'), truncated: true })).toEqual([
      'a was not searched: It is stopped.',
      'b was not searched: It is stopped.',
      'Nor were c, d.',
      'More names fit than are shown. Type on to narrow them.',
    ]);
  });
});
