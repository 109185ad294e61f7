import { describe, expect, it } from '@jest/globals';
import type { HealthCountsDto, Overview } from '../../../shared/api/api-types';
import { aBlock, aColumn, aRow, aType } from '../../../shared/testing/resource-records';
import { cardRows, healthSummary, severityOf } from './block-labels';
import { applyOverview, hasOnlySystemWorkloads, partsOf } from './overview-blocks';

const NOW = Date.parse('2026-11-22T09:26:44Z');
const NO_HEALTH: HealthCountsDto = { ok: 0, progressing: 0, warning: 0, failed: 0, ended: 0, none: 0 };

function anOverview(blocks: Record<`k8s_${string}`, ReturnType<typeof aBlock>>): Overview {
  return {
    cluster: 'staging',
    runtime: 'demo',
    taken_at: '2026-11-22T09:26:44Z',
    summary: {
      kubernetes_version: 'v1.34.4',
      nodes: 2,
      nodes_ready: 2,
      pods: 1,
      pods_ready: 1,
      namespaces: 1,
      warnings: 0,
      metrics: false,
    },
    ...blocks,
  };
}

describe('healthSummary and severityOf', () => {
  it.each<[string, Partial<HealthCountsDto>, number, string]>([
    ['pods', { ok: 3 }, 3, 'all ready'],
    ['pods', { ok: 2, ended: 1 }, 3, 'all ready'],
    ['pods', { ok: 1, failed: 1, warning: 1, progressing: 2 }, 5, '1 failed, 1 warning, 2 in progress'],
    ['deployments', { ok: 1, none: 1 }, 2, '1 available'],
    ['jobs', { ended: 2 }, 2, 'all completed'],
    ['events', { warning: 1, none: 7 }, 8, '1 warning'],
    ['events', { none: 7 }, 7, ''],
    ['configmaps', { none: 4 }, 4, ''],
  ])('summarize %s with %j', (plural, health, total, sentence) => {
    const block = aBlock({ type: aType({ plural }), total, health: { ...NO_HEALTH, ...health } });
    expect(healthSummary(block)).toBe(sentence);
  });

  it('return the highest severity', () => {
    expect(severityOf(aBlock({ health: { ...NO_HEALTH, warning: 1, failed: 1 } }))).toBe('failed');
    expect(severityOf(aBlock({ health: { ...NO_HEALTH, warning: 1 } }))).toBe('warning');
    expect(severityOf(aBlock({ health: { ...NO_HEALTH, progressing: 1 } }))).toBeNull();
  });
});

describe('cardRows', () => {
  it('shows the problem of a pod, otherwise its age', () => {
    const block = aBlock({
      rows: [
        aRow({
          name: 'bad',
          health: 'failed',
          cells: ['bad', '0/1', 'CrashLoopBackOff', '6 (2m ago)', '1h'],
        }),
        aRow({ name: 'late', health: 'warning', cells: ['late', '1/2', 'Running', '0', '1h'] }),
        aRow({ name: 'good', created_at: '2026-11-19T09:26:44Z' }),
      ],
    });
    expect(cardRows(block, NOW, 5).map(({ value }) => value)).toEqual([
      'CrashLoopBackOff, 6 restarts',
      '1 of 2 ready',
      '3d',
    ]);
  });

  it('shows reason and object of an event', () => {
    const block = aBlock({
      type: aType({ plural: 'events', kind: 'Event' }),
      columns: ['Last Seen', 'Type', 'Reason', 'Object', 'Message'].map((name) => aColumn(name)),
      rows: [aRow({ name: 'web.1234', cells: ['2m', 'Warning', 'BackOff', 'pod/web-0', 'Back-off'] })],
    });
    expect(cardRows(block, NOW, 5)).toMatchObject([{ name: 'BackOff', beside: 'pod/web-0', value: '2m' }]);
  });
});

describe('partsOf and applyOverview', () => {
  const overview = anOverview({
    k8s_configmaps: aBlock({ type: aType({ plural: 'configmaps', kind: 'ConfigMap' }) }),
    'k8s_certificates.cert-manager.io': aBlock({
      type: aType({ group: 'cert-manager.io', plural: 'certificates', kind: 'Certificate', custom: true }),
    }),
    k8s_events: aBlock({ type: aType({ plural: 'events', kind: 'Event' }) }),
    k8s_pods: aBlock(),
    'k8s_leases.coordination.k8s.io': aBlock({
      type: aType({ group: 'coordination.k8s.io', plural: 'leases', kind: 'Lease' }),
    }),
    // Not served by the cluster: no verbs.
    k8s_cronjobs: aBlock({
      type: aType({ group: 'batch', plural: 'cronjobs', kind: 'CronJob', verbs: [] }),
      error: { code: 'resource_type_not_found', message: 'The cluster serves no cronjobs of batch.' },
    }),
  });

  it('split kinds into cards, cells, internal kinds and custom resources', () => {
    const { cards, cells, others, custom } = partsOf(overview);
    expect(cards.map(({ name }) => name)).toEqual(['k8s_pods', 'k8s_events']);
    expect(cells.map(({ name }) => name)).toEqual(['k8s_cronjobs', 'k8s_configmaps']);
    expect(others.map(({ name }) => name)).toEqual(['k8s_leases.coordination.k8s.io']);
    expect(custom.map(({ title }) => title)).toEqual(['cert-manager.io']);
  });

  it('apply the changed blocks of this cluster only', () => {
    const message = {
      type: 'overview' as const,
      topic: 'overview:demo/staging' as const,
      cluster: 'staging',
      runtime: 'demo',
      blocks: { k8s_pods: aBlock({ total: 7 }) },
      summary: { ...overview.summary, pods: 7 },
      error: null,
    };
    expect(applyOverview(overview, message)?.['k8s_pods']?.total).toBe(7);
    expect(applyOverview(overview, message)?.['k8s_configmaps']).toBe(overview['k8s_configmaps']);
    expect(applyOverview(overview, { ...message, runtime: 'docker' })).toBe(overview);
  });
});

describe('hasOnlySystemWorkloads', () => {
  const system = aBlock({ rows: [aRow({ namespace: 'kube-system' })], total: 1 });
  const none = aBlock({ rows: [], total: 0 });

  it.each([
    ['a new cluster', system, none, true],
    [
      'a Deployment in another namespace',
      aBlock({ rows: [aRow({ namespace: 'shop' })], total: 1 }),
      none,
      false,
    ],
    [
      'more Deployments than rows',
      aBlock({ rows: [aRow({ namespace: 'kube-system' })], total: 9 }),
      none,
      false,
    ],
    [
      'a StatefulSet in another namespace',
      system,
      aBlock({ rows: [aRow({ namespace: 'shop' })], total: 1 }),
      false,
    ],
  ])('reads %s', (_what, k8s_deployments, k8s_statefulsets, expected) => {
    expect(hasOnlySystemWorkloads(anOverview({ k8s_deployments, k8s_statefulsets }))).toBe(expected);
  });
});
