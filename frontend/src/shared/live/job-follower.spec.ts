import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { ApiProblem } from '../api/api-problem';
import type { JobDto, JobLogLineDto } from '../api/api-types';
import { provideApi } from '../testing/fake-api';
import { type FakeSocket, fakeSockets } from './testing/fake-socket';
import { aJob } from '../testing/records';
import { JobFollower } from './job-follower';

function line(sequence: number): JobLogLineDto {
  return { sequence, time: '2026-11-21T09:40:49.000Z', kind: 'output', text: `line ${sequence}` };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

describe('JobFollower', () => {
  let log: JobLogLineDto[];
  let job: JobDto;
  let asked: number[];
  let failure: ApiProblem | undefined;
  let sockets: FakeSocket[];
  let follower: JobFollower;

  beforeEach(async () => {
    log = [line(1), line(2)];
    job = aJob();
    asked = [];
    failure = undefined;
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [
        fake.provider,
        JobFollower,
        provideApi({
          'GET /api/v1/jobs/{id}': ({ id, log_after: after = 0 }) => {
            if (id !== job.id) throw new Error(`Unexpected request for job ${id}.`);
            asked.push(after);
            if (failure) return Promise.reject(failure);
            return Promise.resolve({
              ...job,
              progress_log: log.filter(({ sequence }) => sequence > after),
            });
          },
        }),
      ],
    });
    follower = TestBed.inject(JobFollower);
    follower.follow(12);
    TestBed.tick();
    await settled();
  });

  const sequences = (): number[] => follower.lines().map(({ sequence }) => sequence);

  it('continues after the last known line when the connection was lost', async () => {
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'pong' });
    await settled();
    expect(sequences()).toEqual([1, 2]);
    log.push(line(3), line(4));
    await follower.reload();
    expect(asked.at(-1)).toBe(2);
    expect(sequences()).toEqual([1, 2, 3, 4]);
  });

  it('ignores repeated lines, and loads missed ones', async () => {
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'job_log', job_id: 12, lines: [line(2), line(3)] });
    expect(sequences()).toEqual([1, 2, 3]);
    log = [line(1), line(2), line(3), line(4), line(5)];
    sockets[0]?.tell({ type: 'job_log', job_id: 12, lines: [line(5)] });
    await settled();
    expect(sequences()).toEqual([1, 2, 3, 4, 5]);
  });

  it('loads the last lines when the job ends, and then stops', async () => {
    sockets[0]?.accept();
    job = aJob({ state: 'succeeded', progress_percent: 100 });
    log.push(line(3));
    sockets[0]?.tell({ type: 'job', job });
    await settled();
    expect(follower.ended()).toBe(true);
    expect(sequences()).toEqual([1, 2, 3]);
    const count = asked.length;
    sockets[0]?.tell({ type: 'job', job });
    await settled();
    expect(asked).toHaveLength(count);
  });

  it('keeps the known job when a request fails', async () => {
    failure = new ApiProblem('offline', 'Slipway does not answer.', 0);
    await follower.reload();
    expect(follower.problem()?.code).toBe('offline');
    expect(follower.job()?.id).toBe(12);
    failure = undefined;
    await follower.reload();
    expect(follower.problem()).toBeNull();
  });

  it('forgets a job when it follows another', async () => {
    job = aJob({ id: 13 });
    log = [];
    follower.follow(13);
    expect(follower.job()).toBeUndefined();
    TestBed.tick();
    await settled();
    expect(follower.job()?.id).toBe(13);
    expect(sequences()).toEqual([]);
  });
});
