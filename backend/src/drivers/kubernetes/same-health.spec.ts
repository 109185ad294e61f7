import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from './object-fields.js';
import { healthOf, type ResourceHealth } from './object-health.js';
import type { TableCell } from './resource-api.js';

const object = (kind: string, fields: Record<string, unknown>): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', generation: 2 },
  ...fields,
});
const deployment = (status: Record<string, unknown>): KubernetesObject => replicas('Deployment', status);
const containers = (phase: string, ...states: object[]): KubernetesObject =>
  object('Pod', {
    status: { phase, containerStatuses: states.map((state, index) => ({ name: `c${index}`, state })) },
  });
const replicas = (
  kind: string,
  status: Record<string, unknown>,
  spec: object = { replicas: 2 },
): KubernetesObject => object(kind, { spec, status: { observedGeneration: 2, ...status } });
const phase = (kind: string, name: string): KubernetesObject => object(kind, { status: { phase: name } });
const RUNS = { running: { startedAt: '2026-11-21T10:00:00Z' } };
const waits = (reason: string): object => ({ waiting: { reason } });
const ended = (exitCode: number, reason?: string): object => ({ terminated: { exitCode, reason } });

describe('healthOf a row and of its object', () => {
  it.each<[ResourceHealth, string, Record<string, TableCell>, KubernetesObject]>([
    [
      'progressing',
      'a Pod that waits for a node',
      { Ready: '0/1', Status: 'Pending' },
      containers('Pending'),
    ],
    [
      'progressing',
      'a Pod that starts',
      { Ready: '0/1', Status: 'ContainerCreating' },
      containers('Pending', waits('ContainerCreating')),
    ],
    [
      'progressing',
      'a Pod with a container that starts again',
      { Ready: '1/2', Status: 'ContainerCreating' },
      containers('Running', RUNS, waits('ContainerCreating')),
    ],
    [
      'warning',
      'a Pod that runs and is not ready',
      { Ready: '0/1', Status: 'Running' },
      containers('Running', RUNS),
    ],
    [
      'failed',
      'a Pod without its image',
      { Ready: '0/1', Status: 'ImagePullBackOff' },
      containers('Pending', waits('ImagePullBackOff')),
    ],
    [
      'failed',
      'a Pod whose container has failed',
      { Ready: '1/2', Status: 'Error' },
      containers('Running', RUNS, ended(3, 'Error')),
    ],
    [
      'failed',
      'a Pod whose container has failed without a reason',
      { Ready: '0/1', Status: 'ExitCode:3' },
      containers('Running', ended(3)),
    ],
    ['failed', 'a Pod that has failed', { Ready: '0/1', Status: 'Evicted' }, containers('Failed')],
    [
      'ended',
      'a Pod that has completed',
      { Ready: '0/1', Status: 'Completed' },
      containers('Succeeded', ended(0, 'Completed')),
    ],
    [
      'warning',
      'a Deployment without ready Pods',
      { Ready: '0/2', 'Up-to-date': 2 },
      deployment({ replicas: 2, updatedReplicas: 2 }),
    ],
    [
      'progressing',
      'a Deployment during a rollout',
      { Ready: '2/2', 'Up-to-date': 1 },
      deployment({ replicas: 2, readyReplicas: 2, updatedReplicas: 1 }),
    ],
    ['progressing', 'a Deployment without Pods', { Ready: '0/2', 'Up-to-date': 0 }, deployment({})],
    [
      'ok',
      'a Deployment',
      { Ready: '2/2', 'Up-to-date': 2 },
      deployment({ replicas: 2, readyReplicas: 2, updatedReplicas: 2 }),
    ],
    [
      'warning',
      'a ReplicaSet without ready Pods',
      { Desired: 2, Current: 2, Ready: 0 },
      replicas('ReplicaSet', { replicas: 2 }),
    ],
    [
      'progressing',
      'a ReplicaSet that creates Pods',
      { Desired: 2, Current: 1, Ready: 1 },
      replicas('ReplicaSet', { replicas: 1, readyReplicas: 1 }),
    ],
    [
      'ok',
      'a ReplicationController',
      { Desired: 2, Current: 2, Ready: 2 },
      replicas('ReplicationController', { replicas: 2, readyReplicas: 2 }),
    ],
    [
      'warning',
      'a StatefulSet whose first Pod is not ready',
      { Ready: '0/2' },
      replicas('StatefulSet', { replicas: 1, updatedReplicas: 1 }),
    ],
    [
      'ok',
      'a StatefulSet',
      { Ready: '2/2' },
      replicas('StatefulSet', { replicas: 2, readyReplicas: 2, updatedReplicas: 2 }),
    ],
    [
      'warning',
      'a DaemonSet',
      { Desired: 2, Current: 2, Ready: 1, 'Up-to-date': 2 },
      replicas('DaemonSet', { desiredNumberScheduled: 2, numberReady: 1, updatedNumberScheduled: 2 }, {}),
    ],
    [
      'progressing',
      'a Job',
      { Status: 'Running', Completions: '0/1' },
      object('Job', { status: { active: 1 } }),
    ],
    [
      'none',
      'a suspended Job',
      { Status: 'Suspended', Completions: '0/1' },
      object('Job', { spec: { suspend: true } }),
    ],
    [
      'failed',
      'a failed Job',
      { Status: 'Failed', Completions: '0/1' },
      object('Job', { status: { conditions: [{ type: 'Failed', status: 'True' }] } }),
    ],
    ['ok', 'a CronJob', { Suspend: 'False' }, object('CronJob', { spec: { suspend: false } })],
    ['none', 'a suspended CronJob', { Suspend: 'True' }, object('CronJob', { spec: { suspend: true } })],
    [
      'progressing',
      'a claim that waits for its first Pod',
      { Status: 'Pending' },
      phase('PersistentVolumeClaim', 'Pending'),
    ],
    [
      'failed',
      'a claim that has lost its volume',
      { Status: 'Lost' },
      phase('PersistentVolumeClaim', 'Lost'),
    ],
    ['ok', 'a bound claim', { Status: 'Bound' }, phase('PersistentVolumeClaim', 'Bound')],
    ['warning', 'a released volume', { Status: 'Released' }, phase('PersistentVolume', 'Released')],
    ['ok', 'a Namespace', { Status: 'Active' }, phase('Namespace', 'Active')],
    ['none', 'a Service', { 'External-IP': '<none>' }, object('Service', { spec: { type: 'ClusterIP' } })],
    [
      'warning',
      'a LoadBalancer without an address',
      { 'External-IP': '<pending>' },
      object('Service', { spec: { type: 'LoadBalancer' } }),
    ],
    [
      'warning',
      'an autoscaler without metrics',
      { Targets: 'cpu: <unknown>/50%' },
      object('HorizontalPodAutoscaler', {
        status: { conditions: [{ type: 'ScalingActive', status: 'False' }] },
      }),
    ],
    [
      'warning',
      'an autoscaler that no controller has reconciled',
      { Targets: 'cpu: <unknown>/50%' },
      object('HorizontalPodAutoscaler', { status: { desiredReplicas: 0 } }),
    ],
    [
      'failed',
      'an APIService',
      { Available: 'False (MissingEndpoints)' },
      object('APIService', { status: { conditions: [{ type: 'Available', status: 'False' }] } }),
    ],
  ])('is %s for %s', (health, _what, cells, given) => {
    const columns = new Map(Object.keys(cells).map((name, index) => [name, index]));
    const row = { cells: Object.values(cells), deletedAt: null };
    const printed = healthOf({ type: { kind: given.kind, custom: false }, columns, row });
    expect([printed.health, healthOf({ object: given }).health]).toEqual([health, health]);
  });
});
