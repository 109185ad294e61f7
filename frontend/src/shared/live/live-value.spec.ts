import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestBed } from '@angular/core/testing';
import { ApiProblem } from '../api/api-problem';
import type { ClusterDto, JobDto } from '../api/api-types';
import { ServerPresence } from '../browser/server-presence';
import { provideApi } from '../testing/fake-api';
import { type FakeSocket, fakeSockets } from './testing/fake-socket';
import { aCluster, aJob } from '../testing/records';
import { ClustersStore } from './clusters-store';
import { JobsStore, withJob } from './jobs-store';

const OFFLINE = new ApiProblem('offline', 'Slipway does not answer.', 0);

/** Responds to the calls of a store one by one. */
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
    if (!call) throw new Error('Nothing was requested.');
    return call;
  }
}

/** Real time, also with fake timers. */
const realTimeout = setTimeout;

async function settled(): Promise<void> {
  await new Promise((resolve) => realTimeout(resolve));
}

describe('LiveValue', () => {
  let clusters: Answers<ClusterDto[]>;
  let reading: AbortSignal | undefined;
  let jobs: Answers<JobDto[]>;
  let sockets: FakeSocket[];

  beforeEach(() => {
    clusters = new Answers();
    jobs = new Answers();
    const fake = fakeSockets();
    sockets = fake.sockets;
    TestBed.configureTestingModule({
      providers: [
        fake.provider,
        provideApi({
          'GET /api/v1/clusters': (_params, _body, signal) => {
            reading = signal;
            return clusters.call();
          },
          'GET /api/v1/jobs': jobs.call,
        }),
      ],
    });
  });

  it('keeps the last rows when a load fails, with the reason and their time', async () => {
    const store = TestBed.inject(ClustersStore);
    const leave = store.live.join();
    expect(store.live.waiting()).toBe(true);
    await clusters.give([aCluster()]);
    expect(store.live.waiting()).toBe(false);
    const knownAt = store.live.knownAt();
    expect(knownAt).not.toBeNull();

    void store.live.reload();
    await clusters.fail(OFFLINE);
    expect(store.clusters()).toHaveLength(1);
    expect(store.live.stale()).toBe(true);
    expect(store.live.problem()).toBe(OFFLINE);
    expect(store.live.knownAt()).toBe(knownAt);

    void store.live.reload();
    await clusters.give([]);
    expect(store.live.stale()).toBe(false);
    expect(store.clusters()).toEqual([]);
    leave();
  });

  it('may be outdated while the server does not respond', async () => {
    const store = TestBed.inject(ClustersStore);
    const leave = store.live.join();
    await clusters.give([aCluster()]);
    const { lastSeen } = TestBed.inject(ServerPresence);
    lastSeen.set(Date.now());
    expect(store.live.stale()).toBe(true);
    lastSeen.set(null);
    expect(store.live.stale()).toBe(false);
    leave();
  });

  it('has no value when the first load fails', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    await clusters.fail(OFFLINE);
    expect(store.live.value()).toBeUndefined();
    expect(store.live.stale()).toBe(false);
    expect(store.live.waiting()).toBe(false);
  });

  it('retries a failed load while the socket is open', async () => {
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

      void store.live.reload();
      await jobs.fail(OFFLINE);
      leave();
      jest.advanceTimersByTime(10_000);
      expect(jobs.open).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('prefers a message to the response of an earlier request', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    TestBed.tick();
    sockets[0]?.accept();
    sockets[0]?.tell({ type: 'clusters', clusters: [aCluster({ name: 'newer' })] });
    await clusters.give([aCluster({ name: 'older' })]);
    expect(store.clusters().map(({ name }) => name)).toEqual(['newer']);
  });

  it('runs one load at a time, and one more for all requests meanwhile', async () => {
    const store = TestBed.inject(ClustersStore);
    void store.live.reload();
    void store.live.reload();
    void store.live.reload();
    expect(clusters.open).toBe(1);
    await clusters.give([]);
    expect(clusters.open).toBe(1);
    await clusters.give([]);
    expect(clusters.open).toBe(0);
  });

  it('aborts a load that its last viewer leaves, without a problem, and loads for the next one', async () => {
    const store = TestBed.inject(ClustersStore);
    const leave = [store.live.join(), store.live.join()];
    leave[0]?.();
    expect(reading?.aborted).toBe(false);
    leave[1]?.();
    expect(reading?.aborted).toBe(true);
    store.live.join();
    await clusters.fail(reading?.reason);
    expect(store.live.problem()).toBeNull();
    expect(reading?.aborted).toBe(false);
    await clusters.give([aCluster()]);
    expect(store.clusters()).toHaveLength(1);
  });

  it('loads again if requested at the moment a load ends', async () => {
    const store = TestBed.inject(ClustersStore);
    for (let breath = 0; breath < 8; breath += 1) {
      const first = store.live.reload();
      void clusters.give([]);
      for (let passed = 0; passed < breath; passed += 1) await Promise.resolve();
      const second = store.live.reload();
      await settled();
      if (clusters.open > 0) await clusters.give([aCluster()]);
      await Promise.all([first, second]);
      expect(store.clusters()).toHaveLength(1);
    }
  });

  it('distinguishes clusters of the same name by engine', async () => {
    const store = TestBed.inject(ClustersStore);
    store.live.join();
    await clusters.give([aCluster({ runtime: 'docker' }), aCluster({ runtime: 'podman' })]);
    expect(store.find('staging', 'podman')?.runtime).toBe('podman');
    expect(store.find('staging')?.runtime).toBe('docker');
    expect(store.find('other')).toBeUndefined();
  });

  it('inserts a pushed job in order, and counts active jobs', async () => {
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

  it('ignores late messages about a job that has ended', () => {
    const ended = aJob({ state: 'succeeded' });
    expect(withJob([ended], aJob({ state: 'running' }))).toEqual([ended]);
  });
});
