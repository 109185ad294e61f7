import { describe, expect, it } from '@jest/globals';
import type { ClusterDto, ClusterState } from '../../shared/api/api-types';
import { aCluster } from '../../shared/testing/records';
import { clusterSentence } from './cluster-labels';

const SINCE = '2026-11-21T09:00:00.000Z';
const NOW = Date.parse(SINCE) + 90_000;

const cluster = (change: Partial<ClusterDto> = {}): ClusterDto => aCluster({ state_since: SINCE, ...change });

describe('clusterSentence', () => {
  it('gives the duration and counts running nodes', () => {
    expect(clusterSentence(cluster(), NOW)).toBe(' for 1 min 30 s. 2 of 2 nodes running.');
    expect(clusterSentence(cluster({ nodes: [] }), NOW)).toBe(' for 1 min 30 s. No nodes.');
  });

  it('counts ready nodes and pods of the summary', () => {
    const summary = {
      kubernetes_version: 'v1.34.4',
      nodes: 1,
      nodes_ready: 1,
      pods: 9,
      pods_ready: 8,
      namespaces: 1,
      warnings: 0,
      metrics: false,
    };
    expect(clusterSentence(cluster(), NOW, summary)).toBe(
      ' for 1 min 30 s. 1 of 1 node and 8 of 9 pods ready.',
    );
  });

  it('gives the reason of a degraded cluster', () => {
    const nodes = cluster().nodes.map((node, index) =>
      index === 1 ? { ...node, state: 'exited' as const } : node,
    );
    const state_reason = 'staging-worker is not running, exit status 137';
    expect(clusterSentence(cluster({ state: 'degraded', state_reason, nodes }), NOW)).toBe(
      ' for 1 min 30 s: staging-worker is not running, exit status 137. 1 of 2 nodes running.',
    );
  });

  it.each([
    'no Pod of the cluster DNS is ready: coredns-1 is Pending (0/2 nodes are available: untolerated taint)',
    'staging-worker was removed outside Slipway, and only a recreation of the cluster restores it',
  ])('gives the reason of a cluster whose nodes all run: %s', (state_reason) => {
    expect(clusterSentence(cluster({ state: 'degraded', state_reason }), NOW)).toContain(
      `: ${state_reason}.`,
    );
  });

  it.each<[ClusterState, string]>([
    ['creating', ' for 1 min 30 s.'],
    ['stopped', ' for 1 min 30 s. 2 of 2 nodes running.'],
    ['failed', ': the creation failed.'],
    ['missing', ': its containers were removed.'],
    ['unknown', ': docker does not respond. This is the last known state.'],
  ])('describes the state %s', (state, sentence) => {
    expect(clusterSentence(cluster({ state }), NOW)).toBe(sentence);
  });

  it('mentions the kept nodes of a failed creation', () => {
    expect(clusterSentence(cluster({ state: 'failed', nodes_kept: true }), NOW)).toContain('nodes were kept');
  });
});
