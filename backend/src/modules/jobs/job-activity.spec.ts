import { afterEach, describe, expect, it } from '@jest/globals';
import { gate, JobBenches, stage } from '../../../../test/support/jobs/job-stages.js';
import { OwnChanges } from '../journal/index.js';
import { JobActivity } from './job-activity.js';

describe('JobActivity', () => {
  const { bench, close } = new JobBenches();
  afterEach(close);

  it('is Infinity during a job, then the time of its end, also after a restart', async () => {
    const { opened, open } = gate();
    const jobs = bench([stage('all', () => opened)]);
    const own = new OwnChanges();
    const ended: string[] = [];
    own.ended.subscribe((runtime) => ended.push(runtime));
    const activity = new JobActivity(jobs.jobs, jobs.store, own);
    expect(activity.lastWorkedOn('c', 'docker')).toBeUndefined();
    const { id } = jobs.submit('c');
    expect(activity.lastWorkedOn('c', 'docker')).toBe(Infinity);
    expect(own.workedSince(Date.now(), 'c', 'docker')).toBe(true);
    expect(ended).toEqual([]);
    open();
    const { finished_at: finished } = await jobs.jobs.whenEnded(id);
    expect(ended).toEqual(['docker']);
    const last = activity.lastWorkedOn('c', 'docker') ?? 0;
    expect(last).toBeGreaterThanOrEqual(Date.parse(finished ?? ''));
    expect(own.workedSince(last + 1, 'c', 'docker')).toBe(false);
    for (const [cluster, runtime] of [
      ['c', 'podman'],
      ['d', 'docker'],
    ] as const) {
      expect(activity.lastWorkedOn(cluster, runtime)).toBeUndefined();
    }
    const later = new JobActivity(jobs.jobs, jobs.store, new OwnChanges());
    expect(later.lastWorkedOn('c', 'docker')).toBe(Date.parse(finished ?? ''));
  });
});
