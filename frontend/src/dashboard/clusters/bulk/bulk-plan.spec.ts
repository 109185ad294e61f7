import { describe, expect, it } from '@jest/globals';
import { aCluster } from '../../../shared/testing/records';
import { type BulkAction, planBulk, questionBeforeBulk } from './bulk-plan';

const CLUSTERS = [
  aCluster({ name: 'runs' }),
  aCluster({ name: 'changed', config_changed: true }),
  aCluster({ name: 'rests', state: 'stopped', config_changed: true }),
  aCluster({ name: 'frozen', state: 'paused' }),
  aCluster({ name: 'others', origin: 'adopted' }),
  aCluster({ name: 'wreck', state: 'failed', nodes: [] }),
  aCluster({ name: 'away', state: 'unknown' }),
  aCluster({ name: 'busy', state: 'starting', active_job_id: 4 }),
];

describe('an action on several clusters', () => {
  it.each<[BulkAction, string]>([
    ['start', 'rests'],
    ['stop', 'runs, changed, frozen, others'],
    ['pause', 'runs, changed, others'],
    ['unpause', 'frozen'],
    ['delete', 'runs, changed, rests, frozen, others, wreck'],
  ])('is done, for a %s, with %s', (action, names) => {
    const plan = planBulk(action, CLUSTERS);
    expect(plan.clusters.map(({ name }) => name).join(', ')).toBe(names);
    expect(plan.clusters.length + plan.skipped.length).toBe(CLUSTERS.length);
  });

  it('says why it leaves one out', () => {
    expect(planBulk('delete', CLUSTERS).skipped.map(({ cluster, why }) => `${cluster.name}: ${why}`)).toEqual(
      ['away: docker does not answer', 'busy: a job is at work on it'],
    );
    expect(planBulk('unpause', CLUSTERS.slice(0, 1)).skipped[0]?.why).toBe('it is running');
  });

  it('asks once before a deletion, with everything that is lost and what is left out', () => {
    const question = questionBeforeBulk(planBulk('delete', CLUSTERS));
    expect(question?.title).toBe('Delete 6 clusters?');
    expect(question?.text.join(' ')).toContain('others was made outside Slipway');
    expect(question?.text.join(' ')).toContain(
      'Left out: away (docker does not answer) and busy (a job is at work on it).',
    );
    expect(question?.losses).toHaveLength(6);
    expect(question?.losses?.[0]).toBe(
      'runs: 2 containers in docker with all that runs in them and every volume, its saved config',
    );
    expect(question?.losses?.[5]).toBe('wreck, its saved config');
  });

  it('asks nothing before a start, which keeps the nodes where the config was changed', () => {
    expect(questionBeforeBulk(planBulk('start', CLUSTERS))).toBeUndefined();
  });

  it('asks before a stop of what others may use', () => {
    expect(questionBeforeBulk(planBulk('stop', CLUSTERS))?.text[0]).toContain('kind made others outside');
    expect(questionBeforeBulk(planBulk('stop', CLUSTERS.slice(0, 2)))).toBeUndefined();
    expect(questionBeforeBulk(planBulk('pause', CLUSTERS))).toBeUndefined();
  });
});
