import { describe, expect, it } from '@jest/globals';
import type { ClusterDto, ClusterState } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { clusterSentence } from './cluster-words';

const SINCE = '2026-11-21T09:00:00.000Z';
const NOW = Date.parse(SINCE) + 90_000;

const cluster = (change: Partial<ClusterDto> = {}): ClusterDto => aCluster({ state_since: SINCE, ...change });

describe('a cluster in a sentence', () => {
  it('says for how long it runs and what its nodes do', () => {
    expect(clusterSentence(cluster(), NOW)).toBe(' for 1 min 30 s. Both nodes run.');
    const [first] = cluster().nodes;
    expect(clusterSentence(cluster({ nodes: first ? [first] : [] }), NOW)).toBe(
      ' for 1 min 30 s. Its node runs.',
    );
  });

  it('says what is wrong with a degraded one', () => {
    const nodes = cluster().nodes.map((node, index) =>
      index === 1 ? { ...node, state: 'exited' as const } : node,
    );
    expect(
      clusterSentence(
        cluster({ state: 'degraded', state_reason: 'staging-worker is not running, exit status 137', nodes }),
        NOW,
      ),
    ).toBe(' for 1 min 30 s: staging-worker is not running, exit status 137. 1 of 2 nodes run.');
  });

  it.each<[ClusterState, RegExp]>([
    ['creating', /^ for 1 min 30 s\.$/],
    ['failed', /^: nothing of it runs\.$/],
    ['missing', /^: its containers are gone\.$/],
    ['unknown', /^: docker does not answer\. What is shown was last seen before\.$/],
  ])('has one for %s', (state, sentence) => {
    expect(clusterSentence(cluster({ state }), NOW)).toMatch(sentence);
  });

  it('tells kept nodes of a failed creation', () => {
    expect(clusterSentence(cluster({ state: 'failed', nodes_kept: true }), NOW)).toMatch(
      /nodes were kept\.$/,
    );
  });
});
