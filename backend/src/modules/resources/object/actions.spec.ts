import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { actionsOf, replicasOf } from './actions.js';

function object(more: object = {}, metadata: object = {}): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Any', metadata: { name: 'one', ...metadata }, ...more };
}

describe('actionsOf', () => {
  it.each([
    ['apps', 'deployments', ['expose', 'scale', 'restart', 'change-image', 'pause-rollout']],
    ['apps', 'replicasets', ['expose', 'scale']],
    ['apps', 'statefulsets', ['expose', 'scale', 'restart', 'change-image']],
    ['apps', 'daemonsets', ['expose', 'restart', 'change-image']],
    ['batch', 'cronjobs', ['run', 'change-image', 'suspend']],
    ['batch', 'jobs', ['suspend']],
    ['', 'pods', ['expose', 'restart-pod']],
    ['', 'nodes', ['cordon', 'drain']],
    ['', 'configmaps', []],
    ['shop.example', 'deployments', []],
    ['shop.example', 'hulls', ['scale']],
    ['metrics.k8s.io', 'nodes', []],
  ])('of %s/%s: %j', (group, plural, actions) => {
    const scalable = actions.includes('scale');
    expect(actionsOf({ group, plural, scalable }, object())).toEqual(actions);
  });

  it('depends on the state of the object', () => {
    const nodes = { group: '', plural: 'nodes' };
    expect(actionsOf(nodes, object({ spec: { unschedulable: true } }))).toEqual(['uncordon', 'drain']);
    const paused = object({ spec: { paused: true } });
    expect(actionsOf({ group: 'apps', plural: 'deployments' }, paused)).toContain('resume-rollout');
    const suspended = object({ spec: { suspend: true } });
    expect(actionsOf({ group: 'batch', plural: 'jobs' }, suspended)).toEqual(['resume']);
    const ended = object({ status: { conditions: [{ type: 'Complete', status: 'True' }] } });
    expect(actionsOf({ group: 'batch', plural: 'jobs' }, ended)).toEqual([]);
    const leaving = object({}, { deletionTimestamp: '2026-01-01T00:00:00Z' });
    expect(actionsOf({ group: 'apps', plural: 'deployments' }, leaving)).toEqual([]);
  });

  it('replicasOf returns the desired replicas, of a custom resource by its subresource', async () => {
    const reference = { group: 'apps', version: 'v1', plural: 'any', namespace: 'shop', name: 'one' };
    const replicas = (type: { custom: boolean; scalable: boolean }, spec: object): Promise<number | null> =>
      replicasOf(
        { read: (_, part) => Promise.resolve(object({ spec: { replicas: part === 'scale' ? 4 : 9 } })) },
        type,
        reference,
        object({ spec }),
      );
    expect(await replicas({ custom: false, scalable: true }, { replicas: 0 })).toBe(0);
    expect(await replicas({ custom: false, scalable: true }, {})).toBe(1);
    expect(await replicas({ custom: true, scalable: true }, { size: 4 })).toBe(4);
    expect(await replicas({ custom: true, scalable: false }, { replicas: 1 })).toBeNull();
  });
});
