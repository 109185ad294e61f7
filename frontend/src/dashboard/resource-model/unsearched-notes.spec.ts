import { describe, expect, it } from '@jest/globals';
import { unsearchedNotes } from './unsearched-notes';

function unsearched(...names: string[]): Parameters<typeof unsearchedNotes>[0]['clusters'] {
  return names.map((cluster) => ({ cluster, runtime: 'docker', searched: false, reason: 'it is stopped' }));
}

describe('unsearchedNotes', () => {
  it('is empty if all clusters were searched', () => {
    const clusters = [{ cluster: 'staging', runtime: 'docker', searched: true, reason: null }];
    expect(unsearchedNotes({ clusters, truncated: false })).toEqual([]);
  });

  it('gives the reason of one incomplete cluster, summarizes several in one line, and says whether there are more results', () => {
    const slow = { cluster: 's', runtime: 'docker', searched: true, reason: '12 of 54 kinds were searched.' };
    expect(unsearchedNotes({ clusters: [slow], truncated: false })).toEqual([
      'Cluster s was only partly searched. 12 of 54 kinds were searched.',
    ]);
    expect(unsearchedNotes({ clusters: unsearched('a'), truncated: false })).toEqual([
      'Cluster a was not searched. It is stopped.',
    ]);
    expect(unsearchedNotes({ clusters: unsearched('a', 'b', 'c'), truncated: true })).toEqual([
      '3 clusters not searched: a, b, and c.',
      'More objects match. Type more to narrow the results.',
    ]);
    expect(unsearchedNotes({ clusters: [slow, ...unsearched('a')], truncated: false })).toEqual([
      '2 clusters not searched completely: s and a.',
    ]);
  });
});
