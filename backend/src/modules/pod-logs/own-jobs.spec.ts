import { describe, expect, it } from '@jest/globals';
import { object } from '../../../../test/support/kubernetes/diagnosed-objects.js';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import { OwnJobs } from './own-jobs.js';

function job(name: string, cronJob?: string): KubernetesObject {
  const of = object('Job', {}, {}, name);
  const ownerReferences = cronJob === undefined ? [] : [{ kind: 'CronJob', name: cronJob }];
  return { ...of, metadata: { ...of.metadata, ownerReferences } };
}

describe('OwnJobs', () => {
  it('finds Jobs by their owner, and deleted ones by their names', async () => {
    const jobs = new OwnJobs(new Set(['CronJob/report', 'Deployment/web']), 'shop');
    const list = (): Promise<KubernetesObject[]> =>
      Promise.resolve([job('report-now', 'report'), job('report-29401001'), job('other-29401000', 'other')]);
    expect([jobs.has('Job/report-now'), jobs.has('Job/report-29401000')]).toEqual([false, true]);
    expect([jobs.isUnknown('Job/report-now'), jobs.isUnknown('Deployment/web')]).toEqual([true, false]);
    await jobs.lookUp({ list }, ['Job/gone', 'Job/report-29401000']);
    const known = ['report-now', 'report-29401000', 'report-29401001', 'other-29401000', 'gone'];
    expect(known.filter((name) => jobs.has(`Job/${name}`))).toEqual(['report-now', 'report-29401000']);
    expect(known.filter((name) => jobs.isUnknown(`Job/${name}`))).toEqual([]);
    expect(jobs.has('Deployment/web')).toBe(true);
  });

  it('looks up nothing for other workloads', () => {
    expect(new OwnJobs(new Set(['Job/a']), 'shop').isUnknown('Job/b')).toBe(false);
  });
});
