import { describe, expect, it } from '@jest/globals';
import { impedimentsOf, UNIMPEDED } from './impediments.js';
import type { KindConfig } from './kind-config.js';

const config = (fields: Partial<KindConfig>): KindConfig => ({
  kind: 'Cluster',
  apiVersion: 'kind.x-k8s.io/v1alpha4',
  ...fields,
});
const NO_COREDNS = { nodes: null, dns: 'kubeadm does not install CoreDNS' };
const NO_PROXY = 'the config has no kube-proxy, and no replacement is ready';
const initWith = (text: string): string => `kind: InitConfiguration\n${text}\n`;
const TAINT = initWith('nodeRegistration: {taints: [{key: reserved, value: batch, effect: NoSchedule}]}');
const JOIN_TAINT = TAINT.replace('Init', 'Join');
const TAINTED = {
  nodes: null,
  dns: 'CoreDNS does not tolerate the taint reserved=batch:NoSchedule of the nodes',
};
const controlPlane = (...patches: string[]): KindConfig['nodes'] => [
  { role: 'control-plane', kubeadmConfigPatches: patches },
];

describe('what a config keeps from becoming ready', () => {
  it.each<[string, Partial<KindConfig>, unknown]>([
    [
      'the CNI',
      { networking: { disableDefaultCNI: true } },
      {
        nodes: 'the config disables the default CNI, and another one is not ready',
        dns: 'the config disables the default CNI, and another one is not ready',
      },
    ],
    ['kube-proxy', { networking: { kubeProxyMode: 'none' } }, { nodes: NO_PROXY, dns: NO_PROXY }],
    [
      'kube-proxy by phase',
      { kubeadmConfigPatches: [initWith('skipPhases: ["addon/kube-proxy"]')] },
      { nodes: NO_PROXY, dns: NO_PROXY },
    ],
    [
      'all addons',
      { kubeadmConfigPatches: [initWith('skipPhases: [addon]')] },
      { nodes: NO_PROXY, dns: NO_PROXY },
    ],
    ['CoreDNS of a node', { nodes: controlPlane(initWith('skipPhases:\n- addon/coredns')) }, NO_COREDNS],
    [
      'CoreDNS in the second document',
      {
        kubeadmConfigPatches: [`kind: ClusterConfiguration\n---\n${initWith('skipPhases: [addon/coredns]')}`],
      },
      NO_COREDNS,
    ],
    [
      'CoreDNS by the field of v1beta4',
      { kubeadmConfigPatches: ['kind: ClusterConfiguration\ndns: {disabled: true}\n'] },
      NO_COREDNS,
    ],
    [
      'CoreDNS by a JSON patch',
      {
        kubeadmConfigPatchesJSON6902: [
          {
            group: 'kubeadm.k8s.io',
            version: 'v1beta3',
            kind: 'InitConfiguration',
            patch: '[{"op": "add", "path": "/skipPhases/-", "value": "addon/coredns"}]',
          },
        ],
      },
      NO_COREDNS,
    ],
    ['a taint', { nodes: controlPlane(TAINT) }, TAINTED],
    [
      'taints of all nodes',
      { nodes: [...(controlPlane(TAINT) ?? []), { role: 'worker', kubeadmConfigPatches: [JOIN_TAINT] }] },
      TAINTED,
    ],
    [
      'a taint by an argument',
      {
        nodes: controlPlane(
          initWith(
            'nodeRegistration: {kubeletExtraArgs: {register-with-taints: "reserved=batch:NoSchedule"}}',
          ),
        ),
      },
      TAINTED,
    ],
    [
      'a taint by a listed argument',
      {
        nodes: controlPlane(
          initWith(
            'nodeRegistration: {kubeletExtraArgs: [{name: register-with-taints, value: "reserved=batch:NoSchedule"}]}',
          ),
        ),
      },
      TAINTED,
    ],
    [
      'a taint by the kubelet',
      {
        kubeadmConfigPatches: [
          'kind: KubeletConfiguration\nregisterWithTaints: [{key: reserved, value: batch, effect: NoSchedule}]\n',
        ],
      },
      TAINTED,
    ],
  ])('is %s', (_, fields, expected) => {
    expect(impedimentsOf(config(fields))).toEqual(expected);
  });

  it.each<[string, Partial<KindConfig>]>([
    ['an empty config', {}],
    ['another mode of kube-proxy', { networking: { kubeProxyMode: 'nftables', disableDefaultCNI: false } }],
    ['another phase', { kubeadmConfigPatches: [initWith('skipPhases: [preflight]')] }],
    [
      'a worker that skips phases',
      { nodes: [{}, { role: 'worker', kubeadmConfigPatches: [initWith('skipPhases: [addon]')] }] },
    ],
    ['a worker without a taint', { nodes: [...(controlPlane(TAINT) ?? []), { role: 'worker' }] }],
    [
      'a taint that CoreDNS tolerates',
      {
        nodes: controlPlane(TAINT.replace('reserved, value: batch', 'node-role.kubernetes.io/control-plane')),
      },
    ],
    ['a taint that only prefers', { nodes: controlPlane(TAINT.replace('NoSchedule', 'PreferNoSchedule')) }],
    ['a patch that is not YAML', { kubeadmConfigPatches: ['a: [', '{{{', ''] }],
    ['patches of a wrong type', { kubeadmConfigPatchesJSON6902: [null, 7, { patch: '[1, {"path": 2}]' }] }],
  ])('is nothing for %s', (_, fields) => {
    expect(impedimentsOf(config(fields))).toEqual(UNIMPEDED);
  });
});
