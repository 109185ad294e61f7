import { beforeEach, describe, expect, it } from '@jest/globals';
import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { JobDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { aCluster, aJob } from '../../shared/testing/records';
import { Confirm } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { JobCancellation } from '../cluster-actions/job-cancellation';
import { AddonsApi } from './addons-api';
import { ClusterAddons } from './cluster-addons';
import { InstallAddon } from './install-addon';

describe('addons of a cluster', () => {
  let jobs: ReturnType<typeof signal<JobDto[] | undefined>>;
  let lists: number;
  let addons: ClusterAddons;

  beforeEach(() => {
    jobs = signal<JobDto[] | undefined>(undefined);
    lists = 0;
    const api: Partial<Record<keyof AddonsApi, () => Promise<unknown>>> = {
      catalogue: () => Promise.resolve({ addons: [], reason: null }),
      forwards: () => Promise.resolve([]),
      installed: () => {
        lists += 1;
        return Promise.resolve([]);
      },
    };
    TestBed.configureTestingModule({
      providers: [
        ClusterAddons,
        { provide: AddonsApi, useValue: api },
        {
          provide: JobsStore,
          useValue: {
            live: { watch: () => undefined, value: jobs },
            jobs: () => jobs() ?? [],
            get: () => undefined,
          },
        },
        ...[ClusterActions, ClustersStore, Confirm, InstallAddon, JobCancellation, Toaster].map(
          (provide) => ({
            provide,
            useValue: {},
          }),
        ),
      ],
    });
    addons = TestBed.inject(ClusterAddons);
    addons.show(aCluster());
  });

  /** How often it was asked what is installed since the last time; each time twice, once with counts. */
  async function asked(): Promise<number> {
    TestBed.tick();
    await new Promise((resolve) => setTimeout(resolve));
    const times = lists / 2;
    lists = 0;
    return times;
  }

  const uninstall = (change: Partial<JobDto>): JobDto => aJob({ kind: 'addon-uninstall', ...change });

  it('are asked for once, also where jobs are known only later', async () => {
    expect(await asked()).toBe(1);
    jobs.set([uninstall({ id: 3, state: 'succeeded' })]);
    expect(await asked()).toBe(0);
  });

  it('are asked for again when a job of theirs begins, and when it ends', async () => {
    jobs.set([]);
    await asked();
    jobs.set([uninstall({ id: 4, state: 'running' })]);
    expect(await asked()).toBe(1);
    jobs.set([uninstall({ id: 4, state: 'running', progress_percent: 80 })]);
    expect(await asked()).toBe(0);
    jobs.set([uninstall({ id: 4, state: 'succeeded' })]);
    expect(await asked()).toBe(1);
  });

  it('are asked for again when a job begins to count the objects of its release, and not at each count', async () => {
    const counting = (detail: string | null): JobDto => {
      const [step] = aJob().progress_steps;
      return aJob({ kind: 'addon-install', progress_steps: step ? [{ ...step, detail }] : [] });
    };
    jobs.set([counting(null)]);
    await asked();
    jobs.set([counting('1 of 8 ready')]);
    expect(await asked()).toBe(1);
    jobs.set([counting('2 of 8 ready')]);
    expect(await asked()).toBe(0);
  });

  it('are asked for again after a job that is over before the cluster is told to be busy', async () => {
    jobs.set([]);
    await asked();
    jobs.set([uninstall({ id: 4, state: 'succeeded' })]);
    expect(await asked()).toBe(1);
  });

  it('are not asked for again by jobs of others', async () => {
    jobs.set([]);
    await asked();
    jobs.set([uninstall({ id: 5, cluster: 'other' }), aJob({ id: 4, kind: 'start' })]);
    expect(await asked()).toBe(0);
  });
});
