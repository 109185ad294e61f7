import { describe, expect, it } from '@jest/globals';
import { configChanges, labelChanges } from './config-changes.js';
import type { KindConfig } from './kind-config.js';

const BEFORE: KindConfig = {
  kind: 'Cluster',
  apiVersion: 'kind.x-k8s.io/v1alpha4',
  nodes: [
    { role: 'control-plane', image: 'docker.io/kindest/node:v1.33.1' },
    { role: 'worker', labels: { tier: 'one', zone: 'a' } },
    { role: 'worker' },
  ],
  networking: { podSubnet: '10.1.0.0/16' },
};

describe('configChanges', () => {
  it('names nodes, labels, images, ports, mounts and settings', () => {
    const after: KindConfig = {
      ...BEFORE,
      nodes: [
        {
          role: 'control-plane',
          image: 'docker.io/kindest/node:v1.34.4',
          extraPortMappings: [{ hostPort: 8080, containerPort: 80 }],
        },
        {
          role: 'worker',
          labels: { disk: 'ssd', zone: 'b' },
          extraMounts: [{ hostPath: '/a', containerPath: '/b' }],
        },
      ],
      networking: { podSubnet: '10.2.0.0/16', disableDefaultCNI: true },
    };
    expect(configChanges(BEFORE, after)).toEqual([
      'removes worker2',
      'control-plane gets image v1.34.4',
      'control-plane gets port 8080 → 80/TCP',
      'worker gets label disk=ssd',
      'worker gets label zone=b',
      'worker gets mount /a at /b',
      'worker loses label tier=one',
      'sets networking.podSubnet to 10.2.0.0/16',
      'sets networking.disableDefaultCNI to true',
    ]);
  });

  it('finds nothing in the same config', () => {
    expect(configChanges(BEFORE, structuredClone(BEFORE))).toEqual([]);
  });
});

describe('labelChanges', () => {
  const [controlPlane = {}, worker = {}, second = {}] = BEFORE.nodes ?? [];

  it('sets, changes and removes labels of nodes', () => {
    const labels = { tier: 'two', constructor: 'x' };
    const after = {
      ...BEFORE,
      nodes: [{ ...controlPlane, labels: { a: 'b' } }, worker, { ...second, labels }],
    };
    expect(labelChanges(BEFORE, after)).toEqual(
      new Map<string, object>([
        ['control-plane', { a: 'b' }],
        ['worker2', labels],
      ]),
    );
    expect(labelChanges(after, BEFORE)?.get('worker2')).toEqual({ tier: null, constructor: null });
  });

  it('finds nothing if the labels are the same, or if something else changes too', () => {
    expect(labelChanges(BEFORE, structuredClone(BEFORE))).toBeUndefined();
    const labeled = { ...second, labels: { a: 'b' } };
    const after = { ...BEFORE, nodes: [controlPlane, worker, labeled] };
    expect(labelChanges(BEFORE, { ...after, nodes: [...after.nodes, second] })).toBeUndefined();
    expect(labelChanges(BEFORE, { ...after, networking: {} })).toBeUndefined();
    const image = { ...controlPlane, image: 'docker.io/kindest/node:v1.34.4' };
    expect(labelChanges(BEFORE, { ...after, nodes: [image, worker, labeled] })).toBeUndefined();
  });
});
