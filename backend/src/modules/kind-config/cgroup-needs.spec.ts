import { describe, expect, it } from '@jest/globals';
import { cgroupNeedsOf } from './cgroup-needs.js';
import type { KindConfig, KindNode } from './kind-config.js';

const PATCH = 'kind: KubeletConfiguration\nfailCgroupV1: false\n';
const needs = (nodes: KindNode[], fields: Partial<KindConfig> = {}): unknown =>
  cgroupNeedsOf({ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', nodes, ...fields });
const node = (tag: string, more: KindNode = {}): KindNode => ({ image: `kindest/node:${tag}`, ...more });

describe('nodes that do not start on cgroup v1', () => {
  it('are those of Kubernetes 1.35 and later', () => {
    const digest = `@sha256:${'0'.repeat(64)}`;
    expect(needs([node('v1.34.4'), node('v1.35.0'), node(`v1.36.1${digest}`), node('latest')])).toEqual([
      { where: 'nodes[1].image', tag: 'v1.35.0' },
      { where: 'nodes[2].image', tag: 'v1.36.1' },
    ]);
  });

  it.each<[string, KindNode[], Partial<KindConfig>]>([
    ['of the cluster', [node('v1.36.1')], { kubeadmConfigPatches: [PATCH] }],
    [
      'of the first control plane',
      [node('v1.36.1', { role: 'worker' }), node('v1.36.1', { kubeadmConfigPatches: [PATCH] })],
      {},
    ],
    [
      'in JSON',
      [node('v1.36.1')],
      {
        kubeadmConfigPatchesJSON6902: [
          { kind: 'KubeletConfiguration', patch: '[{op: add, path: /failCgroupV1, value: false}]' },
        ],
      },
    ],
  ])('can start with a patch %s', (_, nodes, fields) => {
    expect(needs(nodes, fields)).toEqual([]);
  });

  it.each(['failCgroupV1: true', 'failSwapOn: false', 'failCgroupV1: "false"'])(
    'are not changed by %s',
    (text) => {
      const patch = `kind: KubeletConfiguration\n${text}\n`;
      expect(needs([node('v1.36.1')], { kubeadmConfigPatches: [patch] })).toHaveLength(1);
    },
  );
});
