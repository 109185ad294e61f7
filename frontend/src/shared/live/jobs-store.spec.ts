import { TestBed } from '@angular/core/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { JobDto } from '../api/api-types';
import { provideApi } from '../testing/fake-api';
import { aJob } from '../testing/records';
import { JobsStore } from './jobs-store';
import { type FakeSocket, fakeSockets } from './testing/fake-socket';

describe('JobsStore.ending', () => {
  let jobs: () => Promise<JobDto[]>;
  let sockets: FakeSocket[];

  beforeEach(() => {
    jobs = () => Promise.resolve([aJob()]);
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [fake.provider, provideApi({ 'GET /api/v1/jobs': () => jobs() })],
    });
  });

  it('resolves when the job ends', async () => {
    const store = TestBed.inject(JobsStore);
    let ended: JobDto | undefined;
    const wait = store.ending(12).then((job) => (ended = job));
    await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
    expect(ended).toBeUndefined();
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'job', job: aJob({ state: 'failed' }) });
    TestBed.tick();
    await wait;
    expect(ended?.state).toBe('failed');
  });

  it('resolves immediately for an ended job', async () => {
    jobs = () => Promise.resolve([aJob({ state: 'succeeded' })]);
    const wait = TestBed.inject(JobsStore).ending(12);
    await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
    expect((await wait).state).toBe('succeeded');
  });

  it('rejects for a cleared job', async () => {
    jobs = () => Promise.resolve([]);
    const wait = TestBed.inject(JobsStore).ending(12);
    const refusal = expect(wait).rejects.toMatchObject({ code: 'job_not_found' });
    await new Promise((resolve) => setTimeout(resolve));
    TestBed.tick();
    await refusal;
  });
});
