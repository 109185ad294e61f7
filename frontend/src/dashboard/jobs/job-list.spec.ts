import { describe, expect, it } from '@jest/globals';
import type { JobDto } from '../../shared/api/api-types';
import { aJob } from '../../shared/testing/records';
import {
  countGroups,
  filterJobs,
  jobMark,
  jobSummary,
  readGroup,
  resultLists,
  unfoldCommand,
} from './job-list';
import { formatJobTime, jobMilliseconds } from './job-time';

const START = Date.parse('2026-11-21T09:00:00.000Z');

const PROBLEM: JobDto['problems'][number] = {
  ...{
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'web',
  },
  ...{ since: '2026-11-21T09:00:00.000Z', code: 'crash', message: 'Exited with code 2.', next_step: '' },
};

const job = (change: Partial<JobDto> = {}): JobDto =>
  aJob({ started_at: '2026-11-21T09:00:00.000Z', ...change });

const jobs = [
  job({ id: 4, state: 'running' }),
  job({ id: 3, state: 'queued', title: 'Delete orders' }),
  job({ id: 2, state: 'failed', title: 'Create mesh' }),
  job({ id: 1, state: 'succeeded', title: 'Create mesh-2', runtime: 'podman' }),
];
const ids = (list: JobDto[]): number[] => list.map(({ id }) => id);

describe('job list', () => {
  it('counts each group', () => {
    expect(countGroups(jobs)).toEqual({ all: 4, active: 2, failed: 1, finished: 1 });
  });

  it('counts an interrupted job as failed', () => {
    expect(countGroups([job({ state: 'interrupted' })])).toMatchObject({ failed: 1, finished: 0, active: 0 });
  });

  it('filters by group and by words in any order', () => {
    expect(ids(filterJobs(jobs, { group: 'active', text: '' }))).toEqual([4, 3]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'MESH' }))).toEqual([2, 1]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'podman create' }))).toEqual([1]);
    expect(ids(filterJobs(jobs, { group: 'finished', text: 'orders' }))).toEqual([]);
    expect(ids(filterJobs(jobs, { group: 'all', text: 'delete' }))).toEqual([3]);
  });

  it('reads an unknown group as all', () => {
    expect(readGroup('failed')).toBe('failed');
    expect(readGroup('toString')).toBe('all');
    expect(readGroup(null)).toBe('all');
  });
});

describe('job texts', () => {
  it('show step and duration of a running job', () => {
    expect(jobSummary(job(), START + 19_000)).toBe('Preparing nodes, step 2 of 2, 19 s');
  });

  it('show the time left of a running job', () => {
    const left = (seconds_left: number): string => jobSummary(job({ seconds_left }), START + 19_000);
    expect(left(13.2)).toBe('Preparing nodes, step 2 of 2, about 14 s left');
    expect(left(80)).toBe('Preparing nodes, step 2 of 2, about 1 min 20 s left');
    expect(left(0.4)).toBe('Preparing nodes, step 2 of 2, almost done');
  });

  it('show that a job is being canceled', () => {
    expect(jobSummary(job({ cancelling: true }), START)).toBe('Canceling');
  });

  it('show the outcome or the warning of an ended job', () => {
    const message = 'Created staging.';
    expect(jobSummary(job({ state: 'succeeded', message }), START)).toBe(message);
    expect(jobSummary(job({ state: 'succeeded', message, warnings: ['Memory is tight'] }), START)).toBe(
      'Succeeded with a warning: Memory is tight',
    );
  });

  it('show what does not work after the job', () => {
    const ended = (...names: string[]): JobDto =>
      job({
        state: 'succeeded',
        message: 'Upgraded web.',
        problems: names.map((name) => ({ ...PROBLEM, name })),
      });
    expect([jobMark(ended()), jobMark(ended('web'))]).toEqual(['succeeded', 'warning']);
    expect(jobSummary(ended('web'), START)).toBe('Succeeded, but web does not work: Exited with code 2.');
    expect(jobSummary(ended('web', 'db'), START)).toBe('Succeeded, but 2 workloads do not work: web and db');
  });

  it('have no duration before the start', () => {
    expect(jobMilliseconds(job({ started_at: null }), START)).toBeNull();
    expect(jobMilliseconds(job(), START - 500)).toBe(0);
    expect(formatJobTime(job({ started_at: null }), START)).toBe('');
    expect(formatJobTime(job(), START + 10_500)).toBe('10 s');
    const ended = job({ finished_at: '2026-11-21T09:00:02.400Z' });
    expect(formatJobTime(ended, START)).toBe('2.4 s');
  });

  it('list what a deletion removed', () => {
    expect(resultLists({ containers: ['a', 'b'], volumes: [], note: 'x', files: ['meta.json'] })).toEqual([
      { name: 'containers', items: ['a', 'b'] },
      { name: 'files', items: ['meta.json'] },
    ]);
    expect(resultLists(null)).toEqual([]);
  });

  it('split a long command into one option per line', () => {
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
