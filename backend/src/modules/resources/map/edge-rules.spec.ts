import { describe, expect, it } from '@jest/globals';
import { kubernetesObject } from '../../../../../test/support/kubernetes/scripted-resources.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { findEdges, type MapObjects } from './edge-rules.js';

const named = (kind: string, name: string, more: object = {}): KubernetesObject =>
  kubernetesObject(kind, name, { namespace: 'shop', ...more });
const ownedBy = (uid: string): object => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Any', name: 'any', uid }],
});
const workload = named('Deployment', 'web', {
  metadata: { uid: 'web' },
  spec: {
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', ports: [{ name: 'http', containerPort: 8080 }] }] },
    },
  },
});
const set = named('ReplicaSet', 'web-1', { metadata: { uid: 'set', ...ownedBy('web') } });
const pod = (status: string): KubernetesObject =>
  named('Pod', 'web-1-a', {
    metadata: { uid: 'pod', ...ownedBy('set') },
    status: { conditions: [{ type: 'Ready', status }] },
  });
const service = (spec: object, name = 'web'): KubernetesObject =>
  named('Service', name, { metadata: { uid: name }, spec });
const ingress = (backend: object): KubernetesObject =>
  named('Ingress', 'shop', {
    metadata: { uid: 'ingress' },
    spec: { rules: [{ host: 'shop.test', http: { paths: [{ path: '/', backend: { service: backend } }] } }] },
  });

function edges(more: Partial<MapObjects>): [string, string, string | null][] {
  const all = { workload, ingresses: [], services: [], replicaSets: [set], pods: [pod('True')], ...more };
  return findEdges(all).map(({ from, to, ports, problem }) => [
    `${from.kind} ${from.metadata.name} → ${to.kind} ${to.metadata.name}`,
    ports,
    problem,
  ]);
}

const OWNED = [
  ['Deployment web → ReplicaSet web-1', '', null],
  ['ReplicaSet web-1 → Pod web-1-a', '', null],
];
const selecting = { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] };

describe('findEdges', () => {
  it('leads from an Ingress through its Service to the Pods of the workload', () => {
    const ingresses = [ingress({ name: 'web', port: { name: 'http' } })];
    expect(edges({ ingresses, services: [service(selecting), service({}, 'other')] })).toEqual([
      ['Ingress shop → Service web', 'shop.test/ → http', null],
      ['Service web → Deployment web', '80 → http', null],
      ...OWNED,
    ]);
  });

  it.each<[Partial<MapObjects>, string]>([
    [{ ingresses: [ingress({ name: 'web', port: { number: 80 } })] }, 'Service web does not exist.'],
    [
      { ingresses: [ingress({ name: 'web', port: { number: 81 } })], services: [service(selecting)] },
      'Service web has no port 81.',
    ],
    [
      { services: [service({ ...selecting, selector: { app: 'wbe' } })] },
      'Its selector does not match the Pods of web.',
    ],
    [
      { services: [service({ ...selecting, ports: [{ port: 80, targetPort: 'htp' }] })] },
      'No container has a port with the name htp.',
    ],
    [{ services: [service(selecting)], pods: [pod('False')] }, 'No Pod is ready.'],
  ])('says why an edge leads nowhere (%#)', (objects, problem) => {
    expect(edges(objects).map(([, , found]) => found)).toContain(problem);
  });
});
