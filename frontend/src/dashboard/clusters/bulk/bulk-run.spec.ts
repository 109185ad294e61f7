import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { JobDto } from '../../../shared/api/api-types';
import { JobsStore } from '../../../shared/live/jobs-store';
import { fakeSockets } from '../../../shared/live/testing/fake-socket';
import { provideApi } from '../../../shared/testing/fake-api';
import { aCluster, aJob } from '../../../shared/testing/records';
import { planBulk } from './bulk-plan';
import { BulkRun } from './bulk-run';

const NAMES = ['one', 'two', 'three', 'four', 'five'];

describe('BulkRun', () => {
  let requested: string[];
  let jobs: JobDto[];
  let respond: (name: string) => Promise<unknown>;

  beforeEach(() => {
    requested = [];
    jobs = [];
    respond = (name) => {
      const id = NAMES.indexOf(name) + 1;
      jobs = [...jobs, aJob({ id, kind: 'stop', cluster: name, progress_step: 'Stopping nodes' })];
      return Promise.resolve({ job_id: id });
    };
    const ask = ({ name }: { name: string | number }): Promise<unknown> => {
      requested.push(String(name));
      return respond(String(name));
    };
    TestBed.configureTestingModule({
      providers: [
        fakeSockets().provider,
        provideApi({
          'GET /api/v1/jobs': () => Promise.resolve(jobs),
          'GET /api/v1/clusters': () => Promise.resolve([]),
          'POST /api/v1/clusters/{name}/stop': ask,
          'DELETE /api/v1/clusters/{name}': ask,
        }),
      ],
    });
  });

  async function settle(): Promise<void> {
    for (let round = 0; round < 4; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      TestBed.tick();
    }
  }

  async function end(state: JobDto['state'], ...ids: number[]): Promise<void> {
    jobs = jobs.map((job) =>
      ids.includes(job.id)
        ? { ...job, state, message: state === 'failed' ? 'Failed at Stopping: no room.' : null }
        : job,
    );
    await TestBed.inject(JobsStore).live.reload();
    await settle();
  }

  const plan = (): ReturnType<typeof planBulk> =>
    planBulk('stop', [
      ...NAMES.map((name) => aCluster({ name })),
      aCluster({ name: 'inactive', state: 'stopped' }),
    ]);
  const lines = (): string[] =>
    TestBed.inject(BulkRun)
      .lines()
      .map(({ cluster, text }) => `${cluster.name}: ${text}`);

  it('runs three requests in parallel and counts failures', async () => {
    const run = TestBed.inject(BulkRun);
    const whole = run.run(plan());
    await settle();
    expect(requested).toEqual(['one', 'two', 'three']);
    expect(run.title()).toBe('Stopping 5 clusters');
    expect(lines()).toEqual([
      'one: Stopping nodes',
      'two: Stopping nodes',
      'three: Stopping nodes',
      'four: Waiting',
      'five: Waiting',
      'inactive: Skipped: stopped',
    ]);
    await end('failed', 2);
    await end('succeeded', 1, 3);
    expect(requested).toEqual(NAMES);
    await end('succeeded', 4, 5);
    await whole;
    expect(run.running()).toBe(false);
    expect(run.title()).toBe('4 of 5 clusters stopped, 1 failed');
    expect(lines()[1]).toBe('two: Failed at Stopping: no room.');
    expect(run.lines()[1]?.jobId).toBe(2);
  });

  it('continues after a rejected request and keeps the id of the running job', async () => {
    respond = () => Promise.reject(new ApiProblem('cluster_busy', 'It is busy.', 409, { job_id: 9 }));
    const run = TestBed.inject(BulkRun);
    await run.run(plan());
    expect(run.failed()).toBe(5);
    expect(run.title()).toBe('0 of 5 clusters stopped, 5 failed');
    expect(run.lines()[0]).toMatchObject({ text: 'It is busy.', jobId: 9 });
  });

  it('skips waiting clusters after halt and finishes running ones', async () => {
    const run = TestBed.inject(BulkRun);
    const whole = run.run(plan());
    await settle();
    run.halt();
    await end('succeeded', 1, 2, 3);
    await whole;
    expect(requested).toHaveLength(3);
    expect(run.title()).toBe('3 clusters stopped');
    expect(lines()[3]).toBe('four: Skipped: canceled');
  });
});
