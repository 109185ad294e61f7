import { describe, expect, it } from '@jest/globals';
import type { PrintedRow } from '../resources/index.js';
import { subjectKey, withoutPods, workloadOf, type Subject } from './workloads.js';

type Owner = { kind: string; name: string } | null;

const pod: Subject = { group: '', plural: 'pods', kind: 'Pod', namespace: 'shop', name: 'web-1' };

function workload(owner: Owner, owners: Record<string, Owner> = {}): string {
  const { kind, name } = workloadOf(pod, owner, (ownerKind, key) => owners[`${ownerKind} ${key}`]);
  return `${kind}/${name}`;
}

describe('workloadOf', () => {
  const owned = (kind: string, name: string): Owner => ({ kind, name });

  it('is the object itself without a controller, or with one of another kind', () => {
    expect(workload(null)).toBe('Pod/web-1');
    expect(workload(owned('Node', 'shop-worker'))).toBe('Pod/web-1');
    expect(workload(owned('Workflow', 'nightly'))).toBe('Pod/web-1');
  });

  it('is the Deployment above the ReplicaSet, and the CronJob above the Job', () => {
    const owners = {
      'ReplicaSet shop/web-5d': owned('Deployment', 'web'),
      'Job shop/totals-1': owned('CronJob', 'totals'),
    };
    expect(workload(owned('ReplicaSet', 'web-5d'), owners)).toBe('Deployment/web');
    expect(workload(owned('Job', 'totals-1'), owners)).toBe('CronJob/totals');
    expect(workload(owned('Job', 'import'), owners)).toBe('Job/import');
    expect(workload(owned('StatefulSet', 'db'))).toBe('StatefulSet/db');
  });

  it('ends also if owners own each other', () => {
    const owners = { 'ReplicaSet shop/loop': owned('ReplicaSet', 'loop') };
    expect(workload(owned('ReplicaSet', 'loop'), owners)).toBe('ReplicaSet/loop');
  });

  it('has keys that differ by kind, namespace and name', () => {
    const other = { ...pod, namespace: 'default' };
    expect(subjectKey(pod)).not.toBe(subjectKey(other));
    expect(subjectKey(pod)).not.toBe(subjectKey({ ...pod, plural: 'services' }));
  });
});

function row(
  namespace: string,
  name: string,
  labels: Record<string, string>,
  cells: string[] = [],
): PrintedRow {
  return {
    row: { uid: name, namespace, name, createdAt: null, deletedAt: null, labels, owner: null, cells },
    health: 'none',
    printedHealth: 'none',
    printedAt: 0,
  };
}

describe('withoutPods', () => {
  const pods = [row('shop', 'web-1', { app: 'web', tier: 'front' }), row('other', 'api-1', { app: 'api' })];

  it.each([
    ['ClusterIP', 'app=web', false],
    ['ClusterIP', 'app=web,tier=front', false],
    ['ClusterIP', 'app=web,tier=back', true],
    ['ClusterIP', 'app=api', true],
    ['ClusterIP', '<none>', false],
    ['ExternalName', 'app=nothing', false],
  ])('%s with the selector %s: %s', (type, selector, isBroken) => {
    const service = row('shop', 'web', {}, [type, selector]);
    const found = withoutPods([service], pods, ({ cells }, column) =>
      String(cells[column === 'Type' ? 0 : 1]),
    );
    expect(found).toEqual(isBroken ? [service] : []);
  });
});
