import { describe, expect, it } from '@jest/globals';
import type { PrintedRow } from '../resources/index.js';
import { subjectKey, withoutEndpoints, workloadOf, type Cell, type Subject } from './workloads.js';

type Owner = { kind: string; name: string } | null;

const pod: Subject = { group: '', plural: 'pods', kind: 'Pod', namespace: 'shop', name: 'web-1' };

function workload(owner: Owner, owners: Record<string, Owner> = {}): string {
  const { kind, name } = workloadOf(pod, owner, ({ plural }, key) => owners[`${plural} ${key}`]);
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
      'replicasets shop/web-5d': owned('Deployment', 'web'),
      'jobs shop/totals-1': owned('CronJob', 'totals'),
    };
    expect(workload(owned('ReplicaSet', 'web-5d'), owners)).toBe('Deployment/web');
    expect(workload(owned('Job', 'totals-1'), owners)).toBe('CronJob/totals');
    expect(workload(owned('Job', 'import'), owners)).toBe('Job/import');
    expect(workload(owned('StatefulSet', 'db'))).toBe('StatefulSet/db');
  });

  it('ends also if owners own each other', () => {
    const owners = { 'replicasets shop/loop': owned('ReplicaSet', 'loop') };
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

describe('withoutEndpoints', () => {
  const pods = [row('shop', 'web-1', { app: 'web', tier: 'front' }), row('other', 'api-1', { app: 'api' })];
  const ofService: Cell = ({ cells }, column) =>
    String(cells[['Type', 'Selector', 'Port(s)'].indexOf(column)]);
  const ofSlice: Cell = ({ cells }, column) => String(cells[['Ports', 'Endpoints'].indexOf(column)]);
  const isBroken = (service: PrintedRow, slices: PrintedRow[] = []): boolean =>
    withoutEndpoints([service], pods, slices, { ofService, ofSlice }).length > 0;

  it.each([
    ['ClusterIP', 'app=web', false],
    ['ClusterIP', 'app=web,tier=front', false],
    ['ClusterIP', 'app=web,tier=back', true],
    ['ClusterIP', 'app=api', true],
    ['ClusterIP', '<none>', false],
    ['ExternalName', 'app=nothing', false],
  ])('judges %s with the selector %s: %s', (type, selector, expected) => {
    expect(isBroken(row('shop', 'web', {}, [type, selector, '80/TCP']))).toBe(expected);
  });

  it.each([
    ['80/TCP', '<unset>', '10.244.0.14', true],
    ['80/TCP', '8080', '10.244.0.14', false],
    ['80/TCP', '<unset>', '<unset>', false],
    ['<none>', '<unset>', '10.244.0.14', false],
  ])('judges ports %s with a slice of %s and %s: %s', (ports, slicePorts, endpoints, expected) => {
    const service = row('shop', 'web', {}, ['ClusterIP', 'app=web', ports]);
    const labels = { 'kubernetes.io/service-name': 'web' };
    expect(isBroken(service, [row('shop', 'web-x7', labels, [slicePorts, endpoints])])).toBe(expected);
    expect(isBroken(service, [row('other', 'web-x7', labels, [slicePorts, endpoints])])).toBe(false);
  });
});
