import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { provideRouter } from '@angular/router';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterDto, JobDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { fakeSockets } from '../../shared/live/testing/fake-socket';
import { provideApi } from '../../shared/testing/fake-api';
import { aCluster, aJob } from '../../shared/testing/records';
import { ClustersPage } from './clusters-page';

const OFFLINE = new ApiProblem('offline', 'Slipway does not respond.', 0);
const HOST = { cpu_cores: 8, memory_bytes: 32e9, disk_free_bytes: 84e9 };
const STATS = {
  container_cli: 'docker',
  total_workers_from_meta: 1,
  clusters: {
    total: 1,
    running: 1,
    needs_attention: 0,
    resting: 0,
    working: 0,
    nodes_total: 2,
    nodes_running: 2,
  },
  cluster_resources: [],
  host: HOST,
  runtimes: [
    {
      id: 'docker',
      available: true,
      version: '28.5.1',
      reason: null,
      fix: null,
      since: '',
      memory_includes_cache: false,
      rootless: false,
      host_alias: 'host.docker.internal',
      host: HOST,
    },
  ],
  sampled_at: '2026-11-21T12:00:00.000Z',
};

describe('ClustersPage', () => {
  let clusters: () => Promise<ClusterDto[]>;
  let jobs: JobDto[];

  beforeEach(() => {
    clusters = () => Promise.resolve([aCluster()]);
    jobs = [];
    TestBed.configureTestingModule({
      providers: [
        fakeSockets().provider,
        provideRouter([]),
        provideApi({
          'GET /api/v1/clusters': () => clusters(),
          'GET /api/v1/jobs': () => Promise.resolve(jobs),
          'GET /api/v1/stats': () => Promise.resolve(STATS),
          'GET /api/v1/diagnostics': () =>
            Promise.resolve({ ready: true, checks: [], runtimes: [], dropped_values: 0 }),
        }),
      ],
    });
  });

  async function show(): Promise<ComponentFixture<ClustersPage>> {
    const fixture = TestBed.createComponent(ClustersPage);
    await settle(fixture);
    return fixture;
  }

  async function settle(fixture: ComponentFixture<unknown>): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve));
      await fixture.whenStable();
    }
  }

  function text(fixture: ComponentFixture<unknown>): string {
    return (fixture.nativeElement as HTMLElement).textContent.replace(/\s+/g, ' ');
  }

  it('shows its head and columns while it loads', async () => {
    clusters = () => new Promise(() => undefined);
    const fixture = await show();
    expect(text(fixture)).toContain('Create cluster');
    expect(text(fixture)).toContain('Engine');
    expect(text(fixture)).toContain('Loading clusters');
  });

  it('explains clusters while the list is empty', async () => {
    clusters = () => Promise.resolve([]);
    const fixture = await show();
    expect(text(fixture)).toContain('No clusters yet');
    expect(text(fixture)).toContain('This host is ready');
    expect((fixture.nativeElement as HTMLElement).querySelector('[role="grid"]')).toBeNull();
  });

  it('shows why the list failed to load', async () => {
    clusters = () => Promise.reject(OFFLINE);
    const fixture = await show();
    expect(text(fixture)).toContain('Could not load the clusters');
    expect(text(fixture)).toContain('Slipway does not respond.');
    expect(text(fixture)).toContain('Try again');
  });

  it('marks outdated rows and removes their actions', async () => {
    const fixture = await show();
    expect(text(fixture)).not.toContain('Last seen');
    clusters = () => Promise.reject(OFFLINE);
    await TestBed.inject(ClustersStore).live.reload();
    await settle(fixture);
    expect(text(fixture)).toContain('Last updated just now.');
    expect(text(fixture)).toContain('Last seen: Running');
    expect(text(fixture)).not.toContain('Kubeconfig');
  });

  it('shows the progress of the active job in the row', async () => {
    clusters = () => Promise.resolve([aCluster({ state: 'creating', active_job_id: 12 })]);
    jobs = [aJob()];
    const fixture = await show();
    expect(text(fixture)).toContain('Preparing nodes step 2 of 2');
    const bar = (fixture.nativeElement as HTMLElement).querySelector('sw-usage-bar[role="progressbar"]');
    expect(bar?.getAttribute('aria-valuenow')).toBe('42');
  });

  it('marks demo and adopted clusters, and shows a failure as one sentence', async () => {
    clusters = () =>
      Promise.resolve([
        aCluster({ name: 'one', runtime: 'demo' }),
        aCluster({ name: 'two', origin: 'adopted' }),
        aCluster({
          name: 'three',
          state: 'failed',
          state_reason: 'at Joining worker nodes: too few inotify instances',
        }),
      ]);
    const fixture = await show();
    expect(text(fixture)).toContain('onedemo');
    expect(text(fixture)).toContain('twoadopted');
    expect(text(fixture)).toContain('Failed at Joining worker nodes: too few inotify instances');
  });
});
