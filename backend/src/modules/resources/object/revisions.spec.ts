import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { imagesOf, revisionsOf } from './revisions.js';

const WEB: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', uid: 'uid-of-web' },
};
const OWNED = {
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Any', name: 'web', uid: 'uid-of-web', controller: true }],
};
const containers = (image: string): object => ({ containers: [{ name: 'main', image }] });

function replicaSet(revision: string, image: string, metadata: object = OWNED): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${revision}`,
      creationTimestamp: '2026-11-26T10:00:00Z',
      annotations: { 'deployment.kubernetes.io/revision': revision },
      ...metadata,
    },
    spec: {
      template: { metadata: { labels: { app: 'web', 'pod-template-hash': '6b7' } }, spec: containers(image) },
    },
    status: { replicas: 2 },
  };
}

describe('revisionsOf', () => {
  it('of a Deployment are its ReplicaSets by number, without the label of their controller', () => {
    const found = revisionsOf(WEB, [
      replicaSet('9', 'nginx:1'),
      replicaSet('10', 'nginx:2', {
        ...OWNED,
        annotations: { 'deployment.kubernetes.io/revision': '10', 'kubernetes.io/change-cause': 'to 2' },
      }),
      replicaSet('11', 'nginx:3', { ownerReferences: [] }),
      replicaSet('not-a-number', 'nginx:4'),
    ]);
    expect(found.map(({ number, changeCause, pods }) => [number, changeCause, pods])).toEqual([
      [10, 'to 2', 2],
      [9, null, 2],
    ]);
    expect(found[0]?.template).toEqual({ metadata: { labels: { app: 'web' } }, spec: containers('nginx:2') });
  });

  it('of a StatefulSet are its ControllerRevisions, without the directive of their patch', () => {
    const revision = (number: number, image: string): KubernetesObject => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: `web-${number}`, ...OWNED },
      revision: number,
      data: { spec: { template: { $patch: 'replace', spec: containers(image) } } },
    });
    const found = revisionsOf(WEB, [revision(1, 'postgres:16'), revision(2, 'postgres:17')]);
    expect(found.map(({ number, pods, template }) => ({ number, pods, template }))).toEqual([
      { number: 2, pods: null, template: { spec: containers('postgres:17') } },
      { number: 1, pods: null, template: { spec: containers('postgres:16') } },
    ]);
  });

  it('ignores objects of another shape', () => {
    const broken = { ...replicaSet('1', 'nginx'), spec: 'none' } as unknown as KubernetesObject;
    expect(revisionsOf(WEB, [broken])).toEqual([]);
  });
});

describe('imagesOf', () => {
  it('has each image once, those of init containers first', () => {
    const template = {
      spec: {
        containers: [
          { name: 'web', image: 'a' },
          { name: 'proxy', image: 'b' },
        ],
        initContainers: [{ name: 'init', image: 'b' }, { name: 'none' }],
      },
    };
    expect(imagesOf(template)).toEqual(['b', 'a']);
  });
});
