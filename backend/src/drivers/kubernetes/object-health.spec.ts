import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from './object-fields.js';
import { countHealth, hasHealth, healthOf, type ResourceHealth } from './object-health.js';
import type { TableCell } from './resource-api.js';

type Sample = [health: ResourceHealth, cells: Record<string, TableCell>];

function judge(
  kind: string,
  printed: Record<string, TableCell>,
  { custom = false, deletedAt = null }: { custom?: boolean; deletedAt?: string | null } = {},
): ResourceHealth {
  const columns = new Map(Object.keys(printed).map((name, index) => [name, index]));
  const row = { cells: Object.values(printed), deletedAt };
  return healthOf({ type: { kind, custom }, columns, row }).health;
}

/** Cells as kubectl prints them. */
const SAMPLES: Record<string, Sample[]> = {
  Pod: [
    ['ok', { Name: 'web', Ready: '2/2', Status: 'Running' }],
    ['warning', { Name: 'web', Ready: '1/2', Status: 'Running' }],
    ['warning', { Name: 'web', Ready: '0/1', Status: 'NotReady' }],
    ...['Pending', 'ContainerCreating', 'PodInitializing', 'Init:0/2', 'Terminating', 'SchedulingGated'].map(
      (status): Sample => ['progressing', { Ready: '0/1', Status: status }],
    ),
    ['ended', { Ready: '0/1', Status: 'Completed' }],
    ...[
      'CrashLoopBackOff',
      'ImagePullBackOff',
      'ErrImagePull',
      'Error',
      'Evicted',
      'OOMKilled',
      'Init:Error',
      'Init:CrashLoopBackOff',
      'ExitCode:1',
      'CreateContainerConfigError',
      'Unknown',
    ].map((status): Sample => ['failed', { Ready: '0/1', Status: status }]),
  ],
  Node: [
    ['ok', { Status: 'Ready' }],
    ['warning', { Status: 'Ready,SchedulingDisabled' }],
    ['failed', { Status: 'NotReady' }],
    ['failed', { Status: 'NotReady,SchedulingDisabled' }],
  ],
  Namespace: [
    ['ok', { Status: 'Active' }],
    ['progressing', { Status: 'Terminating' }],
  ],
  PersistentVolumeClaim: [
    ['ok', { Status: 'Bound' }],
    ['progressing', { Status: 'Pending' }],
    ['failed', { Status: 'Lost' }],
  ],
  PersistentVolume: [
    ['ok', { Status: 'Available' }],
    ['warning', { Status: 'Released' }],
    ['failed', { Status: 'Failed' }],
  ],
  Event: [
    ['warning', { 'Last Seen': '3s', Type: 'Warning' }],
    ['none', { 'Last Seen': '3s', Type: 'Normal' }],
  ],
  Service: [
    ['none', { 'External-IP': '<none>' }],
    ['warning', { 'External-IP': '<pending>' }],
  ],
  ConfigMap: [['none', { Data: 1 }]],
  Deployment: [
    ['ok', { Ready: '2/2', 'Up-to-date': 2, Available: 2 }],
    ['progressing', { Ready: '2/2', 'Up-to-date': 1, Available: 2 }],
    ['warning', { Ready: '1/2', 'Up-to-date': 2, Available: 1 }],
    ['none', { Ready: '0/0', 'Up-to-date': 0, Available: 0 }],
  ],
  ReplicaSet: [
    ['ok', { Desired: 2, Current: 2, Ready: 2 }],
    ['none', { Desired: 0, Current: 0, Ready: 0 }],
    ['warning', { Desired: 2, Current: 2, Ready: 0 }],
    ['progressing', { Desired: 2, Current: 1, Ready: 1 }],
  ],
  StatefulSet: [
    ['ok', { Ready: '3/3' }],
    ['warning', { Ready: '2/3' }],
  ],
  DaemonSet: [
    ['ok', { Desired: 2, Current: 2, Ready: 2, 'Up-to-date': 2, Available: 2 }],
    ['progressing', { Desired: 2, Current: 2, Ready: 2, 'Up-to-date': 1, Available: 2 }],
    ['warning', { Desired: 2, Current: 2, Ready: 1, 'Up-to-date': 2, Available: 1 }],
  ],
  Job: [
    ['ended', { Status: 'Complete', Completions: '1/1' }],
    ['progressing', { Status: 'Running', Completions: '0/1' }],
    ['failed', { Status: 'Failed', Completions: '0/1' }],
    ['none', { Status: 'Suspended', Completions: '0/1' }],
    // Before Kubernetes 1.31 there was no status.
    ['ended', { Completions: '1/1' }],
    ['progressing', { Completions: '0/1' }],
  ],
  CronJob: [
    ['ok', { Suspend: 'False' }],
    ['none', { Suspend: true }],
  ],
  HorizontalPodAutoscaler: [
    ['ok', { Targets: 'cpu: 10%/50%' }],
    ['warning', { Targets: 'cpu: <unknown>/50%' }],
  ],
  APIService: [
    ['ok', { Available: 'True' }],
    ['failed', { Available: 'False (MissingEndpoints)' }],
  ],
};

describe.each(Object.entries(SAMPLES))('healthOf a row: %s', (kind, samples) => {
  it.each(samples)('%s: %j', (health, cells) => {
    expect(judge(kind, cells)).toBe(health);
  });
});

describe('healthOf a row of a custom kind', () => {
  it.each<Sample>([
    ['ok', { Name: 'a', Ready: 'True' }],
    ['failed', { Name: 'a', Ready: 'False', Status: 'Ready' }],
    ['progressing', { Ready: 'Unknown' }],
    ['failed', { 'Sync Status': 'Synced', 'Health Status': 'Degraded' }],
    ['failed', { READY: 'False', SYNCED: 'True' }],
    ['failed', { READY: 'True', SYNCED: 'False' }],
    ['ok', { READY: 'True', SYNCED: 'True', Status: 'Certificate is up to date' }],
    ['ended', { Phase: 'Succeeded' }],
    ['none', { Ready: null }],
    ['none', { Name: 'a', Age: '3d' }],
  ])('reads the status column: %s %j', (health, cells) => {
    expect(judge('Order', cells, { custom: true })).toBe(health);
  });

  it('does not confuse them with built-in kinds of the same name', () => {
    expect(judge('Pod', { Status: 'CrashLoopBackOff', Ready: '0/1' }, { custom: true })).toBe('none');
  });
});

describe('healthOf a row that is being deleted', () => {
  it('is progressing', () => {
    expect(judge('PersistentVolume', { Status: 'Bound' }, { deletedAt: '2026-01-01T00:00:00Z' })).toBe(
      'progressing',
    );
  });
});

const object = (kind: string, fields: Record<string, unknown>): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'web', generation: 2 },
  ...fields,
});
const deployment = (status: Record<string, unknown>, replicas = 2): KubernetesObject =>
  object('Deployment', { spec: { replicas }, status: { observedGeneration: 2, ...status } });

const hull = (...conditions: object[]): KubernetesObject => ({
  ...object('Hull', { status: { conditions } }),
  apiVersion: 'yard.test/v1',
});

describe('healthOf an object', () => {
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
      'warning',
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
      'warning',
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
    [
      'a Pod whose container cannot start',
      object('Pod', {
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ImagePullBackOff' } } }],
        },
      }),
      'failed',
      'ImagePullBackOff',
    ],
    [
      'a Pod that starts',
      object('Pod', {
        status: {
          phase: 'Pending',
          containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ContainerCreating' } } }],
        },
      }),
      'progressing',
      'Pending',
    ],
    ['a kind without health', object('ConfigMap', {}), 'none', null],
    ['a failed condition', hull({ type: 'READY', status: 'False' }), 'failed', 'READY: False'],
    [
      'a failed condition beside a met one',
      hull({ type: 'Ready', status: 'True' }, { type: 'synced', status: 'False' }),
      'failed',
      'synced: False',
    ],
    ['a condition that is a problem', hull({ type: 'Degraded', status: 'True' }), 'failed', 'Degraded: True'],
    ['met conditions', hull({ type: 'Ready', status: 'True' }), 'ok', 'Ready'],
    ['an unknown condition', hull({ type: 'Ready', status: 'Unknown' }), 'progressing', 'Ready: Unknown'],
    [
      'conditions that are false in usual states',
      hull({ type: 'Progressing', status: 'False' }, { type: 'Stalled', status: 'False' }),
      'none',
      null,
    ],
    [
      'a custom kind with the name of a built-in one',
      { ...hull({ type: 'Ready', status: 'False' }), kind: 'Service' },
      'failed',
      'Ready: False',
    ],
    [
      'a node under pressure',
      object('Node', {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'DiskPressure', status: 'True' },
          ],
        },
      }),
      'failed',
      'DiskPressure: True',
    ],
    [
      'a Node whose reason denies an error',
      object('Node', {
        status: {
          conditions: [
            { type: 'Ready', status: 'True' },
            { type: 'DiskHardwareErrorFatal', status: 'False', reason: 'DiskHardwareHasNoFatalError' },
          ],
        },
      }),
      'ok',
      'Ready',
    ],
    [
      'a custom object whose earlier try failed',
      object('TaskRun', {
        apiVersion: 'tekton.dev/v1',
        status: {
          conditions: [{ type: 'Succeeded', status: 'True' }],
          retriesStatus: [{ conditions: [{ type: 'Succeeded', status: 'False' }] }],
        },
      }),
      'none',
      null,
    ],
  ])('judges %s', (_what, given, health, reason) => {
    expect(healthOf({ object: given })).toMatchObject({ health, reason });
  });
});

describe('countHealth and hasHealth', () => {
  it('counts each health', () => {
    expect(countHealth(['ok', 'failed', 'ok'])).toEqual({
      ok: 2,
      progressing: 0,
      warning: 0,
      failed: 1,
      ended: 0,
      none: 0,
    });
  });

  it('knows which kinds have health', () => {
    expect(hasHealth({ kind: 'Pod', custom: false })).toBe(true);
    expect(hasHealth({ kind: 'ConfigMap', custom: false })).toBe(false);
    expect(hasHealth({ kind: 'Order', custom: true })).toBe(true);
  });
});
