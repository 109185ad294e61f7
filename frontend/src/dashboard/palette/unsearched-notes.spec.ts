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

  it('names the first incomplete clusters with reasons, the others, and whether there are more results', () => {
    const slow = { cluster: 's', runtime: 'docker', searched: true, reason: '12 of 54 kinds were searched.' };
    expect(unsearchedNotes({ clusters: [slow], truncated: false })).toEqual([
      'Cluster s was only partly searched. 12 of 54 kinds were searched.',
    ]);
    expect(unsearchedNotes({ clusters: unsearched('a', 'b', 'c', 'd'), truncated: true })).toEqual([
      'Cluster a was not searched. It is stopped.',
      'Cluster b was not searched. It is stopped.',
      'Not searched: c, d.',
      'More objects match. Type more to narrow the results.',
    ]);
  });
});
