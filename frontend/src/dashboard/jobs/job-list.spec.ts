import { describe, expect, it } from '@jest/globals';
import type { JobDto } from '../../shared/api/api-types';
import { aJob } from '../../shared/testing/records';
import {
  countGroups,
  filterJobs,
  jobMilliseconds,
  jobSummary,
  readGroup,
  resultLists,
  unfoldCommand,
} from './job-list';

const START = Date.parse('2026-11-21T09:00:00.000Z');

const job = (change: Partial<JobDto> = {}): JobDto =>
  aJob({ started_at: '2026-11-21T09:00:00.000Z', ...change });

const jobs = [
  job({ id: 4, state: 'running' }),
  job({ id: 3, state: 'queued', cluster: 'orders', kind: 'delete' }),
  job({ id: 2, state: 'failed', cluster: 'mesh' }),
  job({ id: 1, state: 'succeeded', cluster: 'mesh-2', runtime: 'podman' }),
];
const ids = (list: JobDto[]): number[] => list.map(({ id }) => id);

describe('the list of jobs', () => {
  it('counts each group', () => {
    expect(countGroups(jobs)).toEqual({ all: 4, active: 2, failed: 1, finished: 2 });
  });

  it('counts an interrupted job as one that failed', () => {
    expect(countGroups([job({ state: 'interrupted' })])).toMatchObject({ failed: 1, finished: 1, active: 0 });
  });

  it('finds by group, and by parts of cluster, kind, engine and number in any order', () => {
    expect(ids(filterJobs(jobs, { group: 'active', text: '' }))).toEqual([4, 3]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'MESH' }))).toEqual([2, 1]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'podman create' }))).toEqual([1]);
    expect(ids(filterJobs(jobs, { group: 'finished', text: 'orders' }))).toEqual([]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'delete' }))).toEqual([3]);
  });

  it('takes an unknown group for all', () => {
    expect(readGroup('failed')).toBe('failed');
    expect(readGroup('toString')).toBe('all');
    expect(readGroup(null)).toBe('all');
  });
});

describe('a job in words', () => {
  it('says where a running one is and for how long', () => {
    expect(jobSummary(job(), START + 19_000)).toBe('Preparing nodes, step 2 of 2, 19 s');
  });

  it('says that a cancelled one is still winding down', () => {
    expect(jobSummary(job({ cancelling: true }), START)).toBe('Canceling: removing created resources');
  });

  it('says how one ended, where, and how long it took', () => {
    const finished_at = '2026-11-21T09:00:58.000Z';
    expect(jobSummary(job({ state: 'failed', finished_at }), START)).toBe('Failed at Preparing nodes. 58 s');
    expect(jobSummary(job({ state: 'succeeded', finished_at }), START)).toBe('Succeeded. 58 s');
    expect(jobSummary(job({ state: 'cancelled', progress_step: null, started_at: null }), START)).toBe(
      'Cancelled.',
    );
    expect(jobSummary(job({ state: 'succeeded', finished_at, warnings: ['Memory is tight'] }), START)).toBe(
      'Succeeded, but: Memory is tight',
    );
  });

  it('has no duration before it began', () => {
    expect(jobMilliseconds(job({ started_at: null }), START)).toBeNull();
    expect(jobMilliseconds(job(), START - 500)).toBe(0);
  });

  it('lists what a deletion removed and leaves out what is empty or of another sort', () => {
    expect(resultLists({ containers: ['a', 'b'], volumes: [], note: 'x', files: ['meta.json'] })).toEqual([
      { name: 'containers', items: ['a', 'b'] },
      { name: 'files', items: ['meta.json'] },
    ]);
    expect(resultLists(null)).toEqual([]);
  });

  it('shows a long command option by option, as a shell would still take it', () => {
    expect(unfoldCommand('kind version --quiet')).toBe('kind version --quiet');
    const command = `kind create cluster --name=mesh --config=/${'x'.repeat(60)} --retain`;
    expect(unfoldCommand(command).split('\n')).toEqual([
      'kind create cluster \\',
      '  --name=mesh \\',
      `  --config=/${'x'.repeat(60)} \\`,
      '  --retain',
    ]);
  });
});
