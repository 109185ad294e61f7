import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { healthOf } from './object-health.js';

const object = (kind: string, fields: Record<string, unknown>): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', generation: 2 },
  ...fields,
});
const deployment = (status: Record<string, unknown>, replicas = 2): KubernetesObject =>
  object('Deployment', { spec: { replicas }, status: { observedGeneration: 2, ...status } });

describe('how an object of a release stands', () => {
  it.each<[string, KubernetesObject, string, string | null]>([
    [
      'all of its pods',
      deployment({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 }),
      'ok',
      '2 of 2 ready',
    ],
    [
      'some of them',
      deployment({ replicas: 2, readyReplicas: 1, updatedReplicas: 2 }),
      'progressing',
      '1 of 2 ready',
    ],
    [
      'old ones alone',
      deployment({ replicas: 3, readyReplicas: 2, updatedReplicas: 1 }),
      'progressing',
      '2 of 2 ready',
    ],
    [
      'old ones beside new',
      deployment({ replicas: 2, readyReplicas: 1, updatedReplicas: 1 }, 1),
      'progressing',
      '1 of 1 ready',
    ],
    ['none, as wanted', deployment({}, 0), 'ok', '0 of 0 ready'],
    [
      'a change that nobody saw',
      deployment({ observedGeneration: 1, readyReplicas: 2, updatedReplicas: 2 }),
      'progressing',
      'not begun',
    ],
    [
      'a rollout that is given up',
      deployment({ conditions: [{ type: 'Progressing', status: 'False' }] }),
      'failed',
      '0 of 2 ready',
    ],
    [
      'a job that is done',
      object('Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
      'ended',
      'complete',
    ],
    [
      'a claim without a volume',
      object('PersistentVolumeClaim', { status: { phase: 'Pending' } }),
      'progressing',
      'Pending',
    ],
    [
      'a service that waits for an address',
      object('Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }),
      'warning',
      'no load balancer gave it an address',
    ],
    ['nothing to judge', object('ConfigMap', {}), 'none', null],
  ])('with %s', (_what, given, health, detail) => {
    expect(healthOf(given)).toEqual({ health, detail });
  });
});
