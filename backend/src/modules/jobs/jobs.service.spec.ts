import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { JobBench } from '../../../../test/support/jobs/job-bench.js';
import { gate, JobBenches, stage, step } from '../../../../test/support/jobs/job-stages.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import { currentActor, runInRequest, setCurrentActor } from '../../core/logging/index.js';
import type { JobContext } from './job-handler.js';
import type { Job } from './job.js';

describe('JobsService', () => {
  const { bench, close } = new JobBenches();
  afterEach(close);

  describe('progress', () => {
    it('weighs steps, never decreases, and reaches 100 only with success', async () => {
      let context: JobContext | undefined;
      const { opened, open } = gate();
      const { jobs } = bench([
        {
          steps: [step('one', 10), step('two', 30), step('three', 60)],
          run: async (given) => {
            context = given;
            await opened;
          },
        },
      ]);
      const seen: number[] = [];
      jobs.changes.subscribe(({ job }) => seen.push(job.progress_percent));
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const percent = (): number => jobs.get(id).progress_percent;
      await waitFor(() => context !== undefined, 'the stage');
      expect(percent()).toBe(0);
      context?.progress(0.5);
      expect(percent()).toBe(5);
      context?.progress(0.2);
      expect(percent()).toBe(5);
      context?.progress(7, 'more than everything');
      expect(percent()).toBe(10);
      context?.step('two');
      expect(percent()).toBe(10);
      context?.progress(0.5);
      expect(percent()).toBe(25);
      // Nothing changes without a report.
      await delay(500);
      expect(percent()).toBe(25);
      context?.step('three');
      expect(percent()).toBe(40);
      // A step starts only once.
      context?.step('two');
      expect(percent()).toBe(40);
      context?.progress(1);
      expect(percent()).toBe(99);
      open();
      expect((await jobs.whenEnded(id)).progress_percent).toBe(100);
      expect(seen).toEqual([...seen].sort((one, other) => one - other));
      expect(seen.filter((value) => value === 100)).toHaveLength(1);
    });

    it('stays below 100 when the last step of a job fails', async () => {
      const { jobs } = bench([stage('all', () => Promise.reject(new Error('no')))]);
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const job = await jobs.whenEnded(id);
      expect(job.state).toBe('failed');
      expect(job.progress_percent).toBeLessThan(100);
    });

    it('skips steps that a stage did not start, and rejects steps of another stage', async () => {
      let rejection: unknown;
      const { jobs } = bench([
        {
          steps: [step('a'), step('b'), step('c')],
          run: (context) => {
            context.step('c');
            try {
              context.step('later');
            } catch (error) {
              rejection = error;
            }
            return Promise.resolve();
          },
        },
        stage('later'),
      ]);
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const job = await jobs.whenEnded(id);
      expect(job.steps.map(({ name, state }) => `${name} ${state}`)).toEqual([
        'a succeeded',
        'b skipped',
        'c succeeded',
        'later succeeded',
      ]);
      expect(String(rejection)).toContain('does not belong to this stage');
    });
  });

  describe('one active job per cluster', () => {
    it('is enforced by the database', async () => {
      const { opened, open } = gate();
      const { jobs, store, submit } = bindSubmit(bench([stage('wait', () => opened)]));
      const first = submit('a');
      expect(() => submit('a')).toThrow(DomainError);
      expect(() => submit('a')).toThrow(
        expect.objectContaining({ code: 'cluster_busy', details: { job_id: first.id } }),
      );
      const busy = { code: 'cluster_busy', message: expect.stringContaining(`job ${first.id} (create)`) };
      expect(() => jobs.assertIdle('a', 'docker')).toThrow(expect.objectContaining(busy));
      expect([jobs.activeOf('a')?.id, jobs.activeOf('a', 'podman')]).toEqual([first.id, undefined]);
      // Without the service, too.
      const again = { ...first, steps: [] };
      expect(store.insert(again)).toBeUndefined();
      // A name is unique across engines during a creation.
      expect(() => submit('a', 'podman')).toThrow(DomainError);
      expect(submit('b').id).toBe(first.id + 1);
      // A rejected job leaves neither a job nor a journal entry.
      expect(jobs.list()).toHaveLength(2);
      expect(jobs.active().map(({ id }) => id)).toEqual([first.id, first.id + 1]);
      open();
      await jobs.whenEnded(first.id);
      expect(() => jobs.assertIdle('a')).not.toThrow();
      expect(submit('a').id).toBe(first.id + 2);
      await jobs.whenEnded(first.id + 2);
    });
  });

  it('stores and publishes problems after the end of a job, once', async () => {
    const { jobs, store, submit } = bindSubmit(bench([stage('all')]));
    const { id } = submit('a');
    await jobs.whenEnded(id);
    const seen: unknown[] = [];
    jobs.changes.subscribe(({ job }) => seen.push(job.problems));
    const problems = [{ code: 'crash', name: 'web' }] as unknown as Job['problems'];
    for (const job of [id, id, 4711]) jobs.noteProblems(job, problems);
    expect([...seen, store.find(id)?.problems]).toEqual([problems, problems]);
  });

  it('estimates the time of a job from an earlier one on the same engine', async () => {
    const { jobs, submit } = bindSubmit(bench([stage('all', () => delay(20))]));
    expect(jobs.estimate('create', 'docker', {})).toBeNull();
    await jobs.whenEnded(submit('a').id);
    expect(jobs.estimate('create', 'docker', {})).toEqual(expect.any(Number));
    expect(jobs.estimate('create', 'podman', {})).toBeNull();
  });

  describe('cancel', () => {
    it('ends a job once, even if called repeatedly', async () => {
      const made = bench([stage('wait', ({ signal }) => delay(60_000, undefined, { signal, ref: false }))]);
      const { jobs, handler } = made;
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      await waitFor(() => jobs.get(id).state === 'running', 'the job');
      expect(jobs.cancel(id)).toMatchObject({ cancelling: true, state: 'running' });
      expect(jobs.cancel(id).cancelling).toBe(true);
      expect(await jobs.whenEnded(id)).toMatchObject({ state: 'cancelled', cancelling: false, error: null });
      expect(handler.conclusions).toHaveLength(1);
      expect(() => jobs.cancel(id)).toThrow(expect.objectContaining({ code: 'job_ended' }));
      expect(() => jobs.cancel(999)).toThrow(expect.objectContaining({ code: 'job_not_found' }));
    });

    it('ends a queued job before it starts', async () => {
      const { opened, open } = gate();
      const made = bench([stage('wait', () => opened)], { APP_JOBS: '1' });
      const first = made.submit('a');
      const second = made.submit('b');
      await waitFor(() => made.jobs.get(first.id).state === 'running', 'the first');
      made.jobs.cancel(second.id);
      expect(await made.jobs.whenEnded(second.id)).toMatchObject({ state: 'cancelled', started_at: null });
      open();
      expect((await made.jobs.whenEnded(first.id)).state).toBe('succeeded');
    });
  });

  describe('the queue', () => {
    it('runs up to APP_JOBS jobs in order', async () => {
      const gates = new Map(['a', 'b', 'c', 'd'].map((name) => [name, gate()]));
      const started: string[] = [];
      const made = bench(
        (input) => {
          const { cluster } = input as { cluster: string };
          return [
            stage('wait', async () => {
              started.push(cluster);
              await gates.get(cluster)?.opened;
            }),
          ];
        },
        { APP_JOBS: '2' },
      );
      const ids = ['a', 'b', 'c', 'd'].map((cluster) => made.submit(cluster).id);
      await waitFor(() => started.length === 2, 'two jobs');
      await delay(50);
      expect(started).toEqual(['a', 'b']);
      gates.get('b')?.open();
      await waitFor(() => started.length === 3, 'the third');
      expect(started).toEqual(['a', 'b', 'c']);
      for (const { open } of gates.values()) open();
      for (const id of ids) expect((await made.jobs.whenEnded(id)).state).toBe('succeeded');
    });
  });

  it('runs a job as its submitter, not as the actor whose request started it', async () => {
    const { opened, open } = gate();
    const actors: string[] = [];
    const made = bench(
      [
        stage('work', async () => {
          actors.push(currentActor().user);
          await opened;
        }),
      ],
      { APP_JOBS: '1' },
    );
    const submitAs = (user: string): number =>
      runInRequest(() => {
        setCurrentActor({ kind: 'session', user, id: user, address: '10.0.0.7' });
        return made.submit(user).id;
      });
    const ids = ['ada', 'bob'].map(submitAs);
    await waitFor(() => actors.length === 1, 'the first job');
    open();
    await Promise.all(ids.map((id) => made.jobs.whenEnded(id)));
    expect(actors).toEqual(['ada', 'bob']);
    const { entries } = await made.journal.recent({}, 10, 0);
    expect(entries.map(({ cluster, actor }) => [cluster, actor?.user, actor?.address])).toEqual([
      ['bob', 'bob', '10.0.0.7'],
      ['ada', 'ada', '10.0.0.7'],
    ]);
  });

  it('accepts 100 queued jobs, and rejects more with too_many_requests', async () => {
    const { opened, open } = gate();
    const made = bench([stage('wait', () => opened)], { APP_JOBS: '1' });
    const first = made.submit('first');
    await waitFor(() => made.jobs.get(first.id).state === 'running', 'the first');
    for (let index = 0; index < 100; index += 1) made.submit(`c${index}`);
    expect(() => made.submit('one-more')).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
    made.jobs.cancel(first.id + 1);
    await made.jobs.whenEnded(first.id + 1);
    made.submit('one-more');
    open();
  });

  it.each(['back', 'ahead'])('reports how long a job ran if the clock is set %s', async (way) => {
    jest.useFakeTimers({
      now: new Date('2026-01-01T12:00:00Z'),
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'setInterval',
        'setTimeout',
      ],
    });
    try {
      const made = bench([
        stage('set', () => {
          jest.setSystemTime(new Date(`2026-01-01T${way === 'back' ? '11' : '13'}:00:00Z`));
          return Promise.resolve();
        }),
      ]);
      const { id } = made.submit('a');
      await made.jobs.whenEnded(id);
      const [entry] = (await made.journal.recent({}, 1, 0)).entries;
      expect(entry?.outcome).toBe('succeeded');
      expect(entry?.duration_ms).toBeGreaterThanOrEqual(0);
      expect(entry?.duration_ms).toBeLessThan(60_000);
      const titles = made.jobs.log(id).filter(({ text }) => text.startsWith('Title of set'));
      expect(titles.map(({ kind }) => kind)).toEqual(['step']);
    } finally {
      jest.useRealTimers();
    }
  });

  describe('clear', () => {
    it('deletes ended jobs with their logs, and keeps active ones', async () => {
      const { opened, open } = gate();
      const made = bench((input) => [
        stage('s', () => ((input as { cluster: string }).cluster === 'slow' ? opened : Promise.resolve())),
      ]);
      const quick = made.submit('quick');
      const slow = made.submit('slow');
      await made.jobs.whenEnded(quick.id);
      expect(made.store.log(quick.id).length).toBeGreaterThan(0);
      expect(made.jobs.clear()).toBe(1);
      expect(made.jobs.list().map(({ id }) => id)).toEqual([slow.id]);
      expect(made.store.log(quick.id)).toEqual([]);
      expect(made.store.find(quick.id)).toBeUndefined();
      open();
      await made.jobs.whenEnded(slow.id);
    });
  });
});

function bindSubmit(made: JobBench): {
  jobs: JobBench['jobs'];
  store: JobBench['store'];
  submit: JobBench['submit'];
} {
  return { jobs: made.jobs, store: made.store, submit: made.submit.bind(made) };
}
