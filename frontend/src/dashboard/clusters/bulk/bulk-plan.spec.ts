import { describe, expect, it } from '@jest/globals';
import { aCluster } from '../../../shared/testing/records';
import { type BulkAction, bulkQuestion, planBulk } from './bulk-plan';

const CLUSTERS = [
  aCluster({ name: 'running' }),
  aCluster({ name: 'changed', config_changed: true }),
  aCluster({ name: 'stopped', state: 'stopped', config_changed: true }),
  aCluster({ name: 'paused', state: 'paused' }),
  aCluster({ name: 'adopted', origin: 'adopted' }),
  aCluster({ name: 'failed', state: 'failed', nodes: [] }),
  aCluster({ name: 'away', state: 'unknown' }),
  aCluster({ name: 'busy', state: 'starting', active_job_id: 4 }),
];

describe('planBulk', () => {
  it.each<[BulkAction, string]>([
    ['start', 'stopped'],
    ['stop', 'running, changed, paused, adopted'],
    ['pause', 'running, changed, adopted'],
    ['unpause', 'paused'],
    ['delete', 'running, changed, stopped, paused, adopted, failed'],
  ])('selects for %s: %s', (action, names) => {
    const plan = planBulk(action, CLUSTERS);
    expect(plan.clusters.map(({ name }) => name).join(', ')).toBe(names);
    expect(plan.clusters.length + plan.skipped.length).toBe(CLUSTERS.length);
  });

  it('gives the reason for each skipped cluster', () => {
    const { skipped } = planBulk('delete', CLUSTERS);
    expect(skipped.map(({ cluster, reason }) => `${cluster.name}: ${reason}`)).toEqual([
      'away: docker does not respond',
      'busy: a job is running',
    ]);
    expect(planBulk('unpause', CLUSTERS.slice(0, 1)).skipped[0]?.reason).toBe('running');
  });
});

describe('bulkQuestion', () => {
  it('lists losses, adopted and skipped clusters of a deletion', () => {
    const question = bulkQuestion(planBulk('delete', CLUSTERS));
    expect(question?.title).toBe('Delete 6 clusters?');
    expect(question?.text).toEqual([
      'This cannot be undone.',
      'Created outside Slipway, so others may use them: adopted.',
      'Skipped: away (docker does not respond) and busy (a job is running).',
    ]);
    expect(question?.losses).toHaveLength(6);
    expect(question?.losses?.[0]).toBe(
      'running: 2 containers in docker with all workloads and volumes, saved config',
    );
    expect(question?.losses?.[5]).toBe('failed: saved config');
  });

  it('asks before a stop only if a cluster is adopted', () => {
    expect(bulkQuestion(planBulk('stop', CLUSTERS))?.text[1]).toContain('adopted');
    expect(bulkQuestion(planBulk('stop', CLUSTERS.slice(0, 2)))).toBeUndefined();
    expect(bulkQuestion(planBulk('pause', CLUSTERS))).toBeUndefined();
    expect(bulkQuestion(planBulk('start', CLUSTERS))).toBeUndefined();
  });
});
