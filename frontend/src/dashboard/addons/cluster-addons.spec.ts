import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { JobDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { StatsStore } from '../../shared/live/stats-store';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster, aJob } from '../../shared/testing/records';
import { Confirm } from '../../shared/ui/confirm';
import { Dialogs } from '../../shared/ui/dialogs';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { ClusterAddons } from './cluster-addons';

describe('ClusterAddons', () => {
  let jobs: ReturnType<typeof signal<JobDto[] | undefined>>;
  let lists: number;
  let addons: ClusterAddons;

  beforeEach(() => {
    jobs = signal<JobDto[] | undefined>(undefined);
    lists = 0;
    const api = provideApi({
      'GET /api/v1/clusters/{name}/addons': () => Promise.resolve({ addons: [], reason: null }),
      'GET /api/v1/clusters/{name}/addons/forwards': () => Promise.resolve([]),
      'GET /api/v1/clusters/{name}/addons/installed': () => {
        lists += 1;
        return Promise.resolve([]);
      },
    });
    TestBed.configureTestingModule({
      providers: [
        ClusterAddons,
        api,
        {
          provide: JobsStore,
          useValue: {
            live: { watch: () => undefined, value: jobs },
            jobs: () => jobs() ?? [],
            get: () => undefined,
          },
        },
        ...[ClusterActions, ClustersStore, Confirm, Dialogs, JobCancellation, StatsStore, Toaster].map(
          (provide) => ({
            provide,
            useValue: {},
          }),
        ),
      ],
    });
    addons = TestBed.inject(ClusterAddons);
    addons.cluster.set(aCluster());
  });

  /** Reloads of the installed addons since the last call; each takes two requests, the second with counts. */
  async function reloads(): Promise<number> {
    // The catalog, then the list, then its counts.
    for (let request = 0; request < 3; request += 1) {
      TestBed.tick();
      await new Promise((resolve) => setTimeout(resolve));
    }
    const times = lists / 2;
    lists = 0;
    return times;
  }

  const uninstall = (change: Partial<JobDto>): JobDto => aJob({ kind: 'addon-uninstall', ...change });

  it('loads the addons once, even if the jobs load later', async () => {
    expect(await reloads()).toBe(1);
    jobs.set([uninstall({ id: 3, state: 'succeeded' })]);
    expect(await reloads()).toBe(0);
  });

  it('reloads when an addon job starts and when it ends', async () => {
    jobs.set([]);
    await reloads();
    jobs.set([uninstall({ id: 4, state: 'running' })]);
    expect(await reloads()).toBe(1);
    jobs.set([uninstall({ id: 4, state: 'running', progress_percent: 80 })]);
    expect(await reloads()).toBe(0);
    jobs.set([uninstall({ id: 4, state: 'succeeded' })]);
    expect(await reloads()).toBe(1);
  });

  it('reloads when a job starts to count the objects of its release, but not at each count', async () => {
    const counting = (detail: string | null): JobDto => {
      const [step] = aJob().progress_steps;
      return aJob({ kind: 'addon-install', progress_steps: step ? [{ ...step, detail }] : [] });
    };
    jobs.set([counting(null)]);
    await reloads();
    jobs.set([counting('1 of 8 ready')]);
    expect(await reloads()).toBe(1);
    jobs.set([counting('2 of 8 ready')]);
    expect(await reloads()).toBe(0);
  });

  it('reloads after a job that ended before the cluster was seen busy', async () => {
    jobs.set([]);
    await reloads();
    jobs.set([uninstall({ id: 4, state: 'succeeded' })]);
    expect(await reloads()).toBe(1);
  });

  it('ignores jobs of other clusters and of other kinds', async () => {
    jobs.set([]);
    await reloads();
    jobs.set([uninstall({ id: 5, cluster: 'other' }), aJob({ id: 4, kind: 'start' })]);
    expect(await reloads()).toBe(0);
  });
});
