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

describe('healthOf', () => {
  it.each<[string, KubernetesObject, string, string | null]>([
    [
      'a Deployment with all Pods ready',
      deployment({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 }),
      'ok',
      '2 of 2 ready',
    ],
    [
      'a Deployment with some Pods ready',
      deployment({ replicas: 2, readyReplicas: 1, updatedReplicas: 2 }),
      'progressing',
      '1 of 2 ready',
    ],
    [
      'a Deployment with Pods of the previous revision only',
      deployment({ replicas: 3, readyReplicas: 2, updatedReplicas: 1 }),
      'progressing',
      '2 of 2 ready',
    ],
    [
      'a Deployment with Pods of both revisions',
      deployment({ replicas: 2, readyReplicas: 1, updatedReplicas: 1 }, 1),
      'progressing',
      '1 of 1 ready',
    ],
    ['a Deployment scaled to zero', deployment({}, 0), 'ok', '0 of 0 ready'],
    [
      'a change that the controller has not observed',
      deployment({ observedGeneration: 1, readyReplicas: 2, updatedReplicas: 2 }),
      'progressing',
      'not started',
    ],
    [
      'a failed rollout',
      deployment({ conditions: [{ type: 'Progressing', status: 'False' }] }),
      'failed',
      '0 of 2 ready',
    ],
    [
      'a completed Job',
      object('Job', { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
      'ended',
      'complete',
    ],
    [
      'a pending PersistentVolumeClaim',
      object('PersistentVolumeClaim', { status: { phase: 'Pending' } }),
      'progressing',
      'Pending',
    ],
    [
      'a LoadBalancer Service without an address',
      object('Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }),
      'warning',
      'no load balancer address',
    ],
    ['a kind without health', object('ConfigMap', {}), 'none', null],
  ])('judges %s', (_what, given, health, detail) => {
    expect(healthOf(given)).toEqual({ health, detail });
  });
});
