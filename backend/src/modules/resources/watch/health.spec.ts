import { describe, expect, it } from '@jest/globals';
import type { TableCell, TableColumn, TableRow } from '../../../drivers/kubernetes/index.js';
import type { ResourceHealth } from '../common/resource.dto.js';
import { countHealth, hasHealth, healthOf } from './health.js';

type Sample = [health: ResourceHealth, cells: Record<string, TableCell>];

function columnsOf(cells: object): TableColumn[] {
  return Object.keys(cells).map((name) => ({
    name,
    type: 'string',
    format: '',
    description: '',
    priority: 0,
  }));
}

function rowOf(cells: Record<string, TableCell>, deletedAt: string | null = null): TableRow {
  return {
    uid: 'u',
    namespace: null,
    name: 'one',
    createdAt: null,
    deletedAt,
    labels: {},
    owner: null,
    cells: Object.values(cells),
  };
}

function judge(kind: string, cells: Record<string, TableCell>, custom = false): ResourceHealth {
  const [group = '', plural = ''] = kind.split('/');
  return healthOf({ group, plural, custom }, columnsOf(cells))(rowOf(cells));
}

/** Cells as kubectl prints them. */
const SAMPLES: Record<string, Sample[]> = {
  '/pods': [
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
  '/nodes': [
    ['ok', { Status: 'Ready' }],
    ['warning', { Status: 'Ready,SchedulingDisabled' }],
    ['failed', { Status: 'NotReady' }],
    ['failed', { Status: 'NotReady,SchedulingDisabled' }],
  ],
  '/namespaces': [
    ['ok', { Status: 'Active' }],
    ['progressing', { Status: 'Terminating' }],
  ],
  '/persistentvolumeclaims': [
    ['ok', { Status: 'Bound' }],
    ['progressing', { Status: 'Pending' }],
    ['failed', { Status: 'Lost' }],
  ],
  '/persistentvolumes': [
    ['ok', { Status: 'Available' }],
    ['warning', { Status: 'Released' }],
    ['failed', { Status: 'Failed' }],
  ],
  '/events': [
    ['warning', { 'Last Seen': '3s', Type: 'Warning' }],
    ['none', { 'Last Seen': '3s', Type: 'Normal' }],
  ],
  '/services': [
    ['none', { 'External-IP': '<none>' }],
    ['progressing', { 'External-IP': '<pending>' }],
  ],
  '/configmaps': [['none', { Data: 1 }]],
  'apps/deployments': [
    ['ok', { Ready: '2/2', 'Up-to-date': 2, Available: 2 }],
    ['progressing', { Ready: '2/2', 'Up-to-date': 1, Available: 2 }],
    ['warning', { Ready: '1/2', 'Up-to-date': 2, Available: 1 }],
    ['none', { Ready: '0/0', 'Up-to-date': 0, Available: 0 }],
  ],
  'apps/replicasets': [
    ['ok', { Desired: 2, Current: 2, Ready: 2 }],
    ['none', { Desired: 0, Current: 0, Ready: 0 }],
    ['warning', { Desired: 2, Current: 2, Ready: 0 }],
    ['progressing', { Desired: 2, Current: 1, Ready: 1 }],
  ],
  'apps/statefulsets': [
    ['ok', { Ready: '3/3' }],
    ['warning', { Ready: '2/3' }],
  ],
  'apps/daemonsets': [
    ['ok', { Desired: 2, Current: 2, Ready: 2, 'Up-to-date': 2, Available: 2 }],
    ['progressing', { Desired: 2, Current: 2, Ready: 2, 'Up-to-date': 1, Available: 2 }],
    ['warning', { Desired: 2, Current: 2, Ready: 1, 'Up-to-date': 2, Available: 1 }],
  ],
  'batch/jobs': [
    ['ended', { Status: 'Complete', Completions: '1/1' }],
    ['progressing', { Status: 'Running', Completions: '0/1' }],
    ['failed', { Status: 'Failed', Completions: '0/1' }],
    ['none', { Status: 'Suspended', Completions: '0/1' }],
    // Before Kubernetes 1.31 there was no status.
    ['ended', { Completions: '1/1' }],
    ['progressing', { Completions: '0/1' }],
  ],
  'batch/cronjobs': [
    ['ok', { Suspend: 'False' }],
    ['none', { Suspend: true }],
  ],
  'autoscaling/horizontalpodautoscalers': [
    ['ok', { Targets: 'cpu: 10%/50%' }],
    ['warning', { Targets: 'cpu: <unknown>/50%' }],
  ],
  'apiregistration.k8s.io/apiservices': [
    ['ok', { Available: 'True' }],
    ['failed', { Available: 'False (MissingEndpoints)' }],
  ],
};

describe.each(Object.entries(SAMPLES))('%s', (kind, samples) => {
  it.each(samples)('%s: %j', (health, cells) => {
    expect(judge(kind, cells)).toBe(health);
  });
});

describe('healthOf custom kinds', () => {
  it.each<Sample>([
    ['ok', { Name: 'a', Ready: 'True' }],
    ['failed', { Name: 'a', Ready: 'False', Status: 'Ready' }],
    ['progressing', { Ready: 'Unknown' }],
    ['failed', { 'Sync Status': 'Synced', 'Health Status': 'Degraded' }],
    ['ended', { Phase: 'Succeeded' }],
    ['none', { Ready: null }],
    ['none', { Name: 'a', Age: '3d' }],
  ])('reads the status column: %s %j', (health, cells) => {
    expect(judge('shop.example/orders', cells, true)).toBe(health);
  });

  it('does not confuse them with built-in kinds of the same name', () => {
    expect(judge('shop.example/pods', { Status: 'Pending', Ready: '0/1' }, true)).toBe('none');
  });
});

describe('healthOf an object that is being deleted', () => {
  it('is progressing', () => {
    const cells = { Status: 'Bound' };
    const health = healthOf({ group: '', plural: 'persistentvolumes', custom: false }, columnsOf(cells));
    expect(health(rowOf(cells, '2026-01-01T00:00:00Z'))).toBe('progressing');
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
    expect(hasHealth({ group: '', plural: 'pods', custom: false })).toBe(true);
    expect(hasHealth({ group: '', plural: 'configmaps', custom: false })).toBe(false);
    expect(hasHealth({ group: 'shop.example', plural: 'orders', custom: true })).toBe(true);
  });
});
