import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import type { Job, JobProblemDto, JobsService } from '../jobs/index.js';
import { JobProblems } from './job-problems.js';
import type { ProblemDto } from './problem.dto.js';
import type { ProblemsService } from './problems.service.js';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const problem = (name: string, release: string | null): ProblemDto =>
  ({ cluster: 'shop', runtime: 'demo', kind: 'Deployment', name, release }) as ProblemDto;
const job = (kind: Job['kind'], input: object, more: Partial<Job> = {}): Job =>
  ({
    id: 7,
    kind,
    cluster: 'shop',
    runtime: 'demo',
    state: 'succeeded',
    finished_at: new Date(NOW).toISOString(),
    input,
    ...more,
  }) as Job;

describe('JobProblems', () => {
  const changes = new Subject<{ job: Job }>();
  const problems = new Subject<void>();
  let found: ProblemDto[] | undefined;
  let noted: string[][];
  let watched: JobProblems;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    found = [];
    noted = [];
    const noteProblems = (_id: number, given: readonly JobProblemDto[]): void => {
      noted.push(given.map(({ name }) => name));
    };
    watched = new JobProblems(
      { changes, noteProblems } as unknown as JobsService,
      { changes: problems, known: () => found } as unknown as ProblemsService,
    );
    watched.onApplicationBootstrap();
  });

  afterEach(() => {
    watched.onApplicationShutdown();
    jest.useRealTimers();
  });

  const show = (...all: ProblemDto[]): void => {
    found = all;
    problems.next();
  };

  it('adds the problems of a release to the job that changed it, for 30 s', () => {
    changes.next({ job: job('addon-upgrade', { release: 'hello', namespace: 'web' }) });
    show(problem('hello', 'web/hello'), problem('other', 'web/other'), problem('mailer', null));
    show(problem('mailer', null));
    expect(noted).toEqual([['hello'], []]);
    show(problem('hello', 'web/hello'));
    jest.advanceTimersByTime(30_000);
    expect(noted.slice(2)).toEqual([['hello'], ['hello']]);
    show();
    expect(noted).toHaveLength(4);
  });

  it('adds all problems of a new cluster, and keeps them while the cluster is stopped', () => {
    changes.next({ job: job('create', {}) });
    show(problem('hello', 'web/hello'), problem('mailer', null));
    found = undefined;
    problems.next();
    jest.advanceTimersByTime(30_000);
    expect(noted).toEqual([['hello', 'mailer']]);
  });

  it('keeps what it found when the cluster is stopped', () => {
    changes.next({ job: job('create', {}) });
    show(problem('mailer', null));
    changes.next({ job: job('stop', {}, { id: 8, state: 'running', finished_at: null }) });
    show();
    jest.advanceTimersByTime(30_000);
    expect(noted).toEqual([['mailer']]);
  });

  it('leaves what breaks to the next change of the release', () => {
    const input = { release: 'hello', namespace: 'web' };
    changes.next({ job: job('addon-install', input) });
    changes.next({ job: job('addon-upgrade', input, { id: 8, state: 'running', finished_at: null }) });
    show(problem('hello', 'web/hello'));
    jest.advanceTimersByTime(30_000);
    expect(noted).toEqual([]);
  });

  it.each([
    ['has failed', job('create', {}, { state: 'failed' })],
    ['runs', job('create', {}, { state: 'running', finished_at: null })],
    ['installs nothing', job('stop', {})],
    ['has ended long ago', job('create', {}, { finished_at: '2026-11-20T00:00:00Z' })],
  ])('does not watch a job that %s', (_what, given) => {
    changes.next({ job: given });
    show(problem('mailer', null));
    jest.advanceTimersByTime(60_000);
    expect(noted).toEqual([]);
  });
});
