import { describe, expect, it } from '@jest/globals';
import { scopeOfSource } from './source-scope.js';

const CONTAINER = { kind: 'container', cluster: null, namespace: null, workload: null, name: 'web' };
const POD = { ...CONTAINER, kind: 'pod', cluster: 'dev' };

describe('scopeOfSource', () => {
  it.each([
    ['a Pod of an application', { ...POD, namespace: 'shop' }, 'apps'],
    ['a Pod of an addon', { ...POD, namespace: 'ingress-nginx' }, 'apps'],
    [
      'a Pod of a namespace that begins like one of Kubernetes',
      { ...POD, namespace: 'kube-system-x' },
      'apps',
    ],
    ['a container', CONTAINER, 'apps'],
    ['a container of a Compose project', { ...CONTAINER, workload: 'Compose/shop' }, 'apps'],
    ['a Pod of the control plane', { ...POD, namespace: 'kube-system' }, 'system'],
    ['the storage of kind', { ...POD, namespace: 'local-path-storage' }, 'system'],
    ['a service of a node', { ...CONTAINER, kind: 'node', cluster: 'dev' }, 'system'],
    ['the container of a node', { ...CONTAINER, cluster: 'dev', name: 'dev-worker' }, 'system'],
    ['Slipway', { ...CONTAINER, name: 'slipway' }, 'system'],
    [
      'Slipway of Compose',
      { ...CONTAINER, workload: 'Compose/slipway', name: 'slipway-slipway-1' },
      'system',
    ],
  ])('places %s', (_name, source, scope) => {
    expect(scopeOfSource(source)).toBe(scope);
  });
});
