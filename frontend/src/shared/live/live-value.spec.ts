import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { Api } from '../api/api';
import { ApiProblem } from '../api/api-problem';
import type { ClusterDto, JobDto } from '../api/api-types';
import { type FakeSocket, fakeSockets } from '../testing/fake-socket';
import { aCluster, aJob } from '../testing/records';
import { ClustersStore } from './clusters-store';
import { JobsStore, withJob } from './jobs-store';

const OFFLINE = new ApiProblem('offline', 'Slipway does not answer.', 0);

/** Answers the calls of a store one by one, when the spec says so. */
class Answers<T> {
  private readonly waiting: { resolve: (value: T) => void; reject: (error: unknown) => void }[] = [];
  readonly call = (): Promise<T> =>
    new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
    });

  async give(value: T): Promise<void> {
    this.next().resolve(value);
    await settled();
  }

  async fail(error: unknown): Promise<void> {
    this.next().reject(error);
    await settled();
  }

  get open(): number {
    return this.waiting.length;
  }

  private next(): { resolve: (value: T) => void; reject: (error: unknown) => void } {
    const call = this.waiting.shift();
    if (!call) throw new Error('Nothing was asked.');
    return call;
  }
}

/** Real, also where a spec has time stand still. */
const realTimeout = setTimeout;

async function settled(): Promise<void> {
  await new Promise((resolve) => realTimeout(resolve));
}

describe('live stores', () => {
  let clusters: Answers<ClusterDto[]>;
  let jobs: Answers<JobDto[]>;
  let sockets: FakeSocket[];

  beforeEach(() => {
    clusters = new Answers();
    jobs = new Answers();
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [fake.provider, { provide: Api, useValue: { clusters: clusters.call, jobs: jobs.call } }],
    });
  });

  it('keeps the last known rows when a load fails, and says why and since when', async () => {
    const store = TestBed.inject(ClustersStore);
    const leave = store.live.join();
    expect(store.live.waiting()).toBe(true);
    await clusters.give([aCluster()]);
    expect(store.live.waiting()).toBe(false);
    const knownAt = store.live.knownAt();
    expect(knownAt).not.toBeNull();

    void store.live.refresh();
    await clusters.fail(OFFLINE);
    expect(store.clusters()).toHaveLength(1);
    expect(store.live.stale()).toBe(true);
    expect(store.live.problem()).toBe(OFFLINE);
    expect(store.live.knownAt()).toBe(knownAt);

    void store.live.refresh();
    await clusters.give([]);
    expect(store.live.stale()).toBe(false);
    expect(store.clusters()).toEqual([]);
    leave();
  });

  it('says that nothing is known when the first load fails', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    await clusters.fail(OFFLINE);
    expect(store.live.value()).toBeUndefined();
    expect(store.live.stale()).toBe(false);
    expect(store.live.waiting()).toBe(false);
  });

  it('asks again by itself after a load that failed while the socket stands', async () => {
    const store = TestBed.inject(JobsStore);
    const leave = store.live.join();
    TestBed.tick();
    while (jobs.open > 0) await jobs.give([]);
    sockets[0]?.accept();
    jest.useFakeTimers();
    try {
      sockets[0]?.tell({ type: 'pong' });
      await jobs.fail(OFFLINE);
      expect(store.live.problem()).toBe(OFFLINE);
      expect(jobs.open).toBe(0);
      jest.advanceTimersByTime(2000);
      expect(jobs.open).toBe(1);
      await jobs.give([aJob()]);
      expect(store.live.problem()).toBeNull();
      jest.advanceTimersByTime(10_000);
      expect(jobs.open).toBe(0);

      void store.live.refresh();
      await jobs.fail(OFFLINE);
      leave();
      jest.advanceTimersByTime(10_000);
      expect(jobs.open).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('lets a message win over a load that began before it', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    TestBed.tick();
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'clusters', clusters: [aCluster({ name: 'newer' })] });
    await clusters.give([aCluster({ name: 'older' })]);
    expect(store.clusters().map(({ name }) => name)).toEqual(['newer']);
  });

  it('runs one load at a time, and one more for all that came meanwhile', async () => {
    const store = TestBed.inject(ClustersStore);
    void store.live.refresh();
    void store.live.refresh();
    void store.live.refresh();
    expect(clusters.open).toBe(1);
    await clusters.give([]);
    expect(clusters.open).toBe(1);
    await clusters.give([]);
    expect(clusters.open).toBe(0);
  });

  it('asks anew when it is asked in the very moment in which a load ends', async () => {
    const store = TestBed.inject(ClustersStore);
    for (let breath = 0; breath < 8; breath += 1) {
      const first = store.live.refresh();
      void clusters.give([]);
      for (let passed = 0; passed < breath; passed += 1) await Promise.resolve();
      const second = store.live.refresh();
      await settled();
      if (clusters.open > 0) await clusters.give([aCluster()]);
      await Promise.all([first, second]);
      expect(store.clusters()).toHaveLength(1);
    }
  });

  it('tells clusters of one name apart by their engine', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    await clusters.give([aCluster({ runtime: 'docker' }), aCluster({ runtime: 'podman' })]);
    expect(store.find('staging', 'podman')?.runtime).toBe('podman');
    expect(store.find('staging')?.runtime).toBe('docker');
    expect(store.find('other')).toBeUndefined();
  });

  it('puts a told job in its place, and counts those at work', async () => {
    const store = TestBed.inject(JobsStore);
    store.live.join();
    TestBed.tick();
    sockets[0]?.accept();
    await jobs.give([aJob({ id: 3, state: 'succeeded' })]);
    sockets[0]?.tell({ type: 'job', job: aJob({ id: 5 }) });
    expect(store.jobs().map(({ id }) => id)).toEqual([5, 3]);
    expect(store.active().map(({ id }) => id)).toEqual([5]);
    sockets[0]?.tell({ type: 'job', job: aJob({ id: 5, state: 'failed' }) });
    expect(store.active()).toEqual([]);
    expect(store.get(5)?.state).toBe('failed');
    expect(store.get(null)).toBeUndefined();
  });

  it('does not let a late message wake a job that ended', () => {
    const ended = aJob({ state: 'succeeded' });
    expect(withJob([ended], aJob({ state: 'running' }))).toEqual([ended]);
  });
});
