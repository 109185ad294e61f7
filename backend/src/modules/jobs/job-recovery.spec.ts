import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { gate, JobBenches, stage } from '../../../../test/support/jobs/job-stages.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { DomainError } from '../../core/errors/index.js';
import { runInRequest, setCurrentActor } from '../../core/logging/index.js';
import type { Job } from './job.js';

describe('job recovery', () => {
  const { bench, close } = new JobBenches();
  afterEach(close);

  describe('after a crash', () => {
    it('ends leftover processes by record and mark, calls the handler, and ends the job as interrupted', async () => {
      const made = bench([stage('a', () => new Promise(() => undefined))]);
      const { id } = made.submit('a');
      await waitFor(() => made.jobs.get(id).state === 'running', 'the job');
      made.store.addProcess(id, { pid: 4711, started: '99', bootId: 'boot' }, 'kind create cluster');
      made.reopen();
      await made.jobs.recover();
      const job = await made.jobs.whenEnded(id);
      expect(made.processes.ended).toHaveLength(1);
      const [{ leftovers, owners } = { leftovers: [], owners: [] }] = made.processes.ended;
      expect(leftovers).toMatchObject([{ pid: 4711, started: '99', bootId: 'boot', owner: owners[0] }]);
      expect(job).toMatchObject({ state: 'interrupted', error: null });
      expect(job.steps[0]?.state).toBe('cancelled');
      expect(made.store.processes(id)).toEqual([]);
      expect(made.handler.recoveries).toBe(1);
      // The job is not run again.
      expect(made.jobs.active()).toEqual([]);
    });

    it('takes no time of this process for what another one began, and no negative time', async () => {
      const made = bench([stage('a', () => new Promise(() => undefined))]);
      const { id } = made.submit('a');
      await waitFor(() => made.jobs.get(id).state === 'running', 'the job');
      // Its clock was set back.
      made.store.update({ ...made.jobs.get(id), started_at: '2100-01-01T00:00:00.000Z' });
      made.reopen();
      await made.jobs.recover();
      const job = await made.jobs.whenEnded(id);
      expect(job.steps[0]?.seconds).toBeUndefined();
      expect((await made.journal.recent({}, 1, 0)).entries).toMatchObject([{ duration_ms: 0 }]);
    });

    it('records the submitter as the actor of the interrupted job', async () => {
      const made = bench([stage('a', () => new Promise(() => undefined))]);
      const { id } = runInRequest(() => {
        setCurrentActor({ kind: 'token', user: 'ada', id: 't-1', name: 'ci', address: '10.0.0.7' });
        return made.submit('a');
      });
      await waitFor(() => made.jobs.get(id).state === 'running', 'the job');
      made.reopen();
      await made.jobs.recover();
      await made.jobs.whenEnded(id);
      expect((await made.journal.recent({}, 10, 0)).entries).toMatchObject([
        { outcome: 'interrupted', actor: { kind: 'token', id: 't-1', name: 'ci' } },
      ]);
    });

    it('neither starts nor ends a job twice on requests during the recovery', async () => {
      const ran: string[] = [];
      const made = bench(
        (input) => [
          stage('wait', async ({ signal }) => {
            ran.push((input as { cluster: string }).cluster);
            await delay(60_000, undefined, { signal, ref: false });
          }),
        ],
        { APP_JOBS: '1' },
      );
      const first = made.submit('first');
      const queued = made.submit('queued');
      await waitFor(() => ran.length === 1, 'the first');
      made.reopen();
      const { opened, open } = gate();
      made.processes.endLeftovers = async () => {
        await opened;
        return 0;
      };
      const recovered = made.jobs.recover();
      const other = made.submit('other');
      made.jobs.cancel(queued.id);
      await delay(50);
      expect(ran).toEqual(['first']);
      open();
      await recovered;
      expect((await made.jobs.whenEnded(first.id)).state).toBe('interrupted');
      expect((await made.jobs.whenEnded(queued.id)).state).toBe('interrupted');
      // A queued job has nothing to recover and does not start.
      expect(made.handler.recoveries).toBe(1);
      await waitFor(() => ran.length === 2, 'the new one');
      expect(ran).toEqual(['first', 'other']);
      made.jobs.cancel(other.id);
      await made.jobs.whenEnded(other.id);
    });

    it('keeps the cluster busy while the engine is unavailable, until the job is cancelled', async () => {
      const made = bench([stage('a', () => new Promise(() => undefined))]);
      const { id } = made.submit('a');
      await waitFor(() => made.jobs.get(id).state === 'running', 'the job');
      made.reopen();
      made.handler.recoverWith = () =>
        Promise.reject(new DomainError('runtime_unavailable', 'docker is away.'));
      await made.jobs.recover();
      await waitFor(
        () => made.jobs.log(id).some(({ text }) => text.includes('docker is away. Waiting for the engine.')),
        'the log line about the engine',
      );
      expect(() => made.submit('a')).toThrow(DomainError);
      made.jobs.cancel(id);
      const job = await made.jobs.whenEnded(id);
      expect(job.state).toBe('interrupted');
      expect(job.warnings).toEqual(['Recovery is incomplete: docker is away.']);
      expect(made.jobs.log(id).at(-1)?.text).toContain('Recovery is incomplete');
    });
  });

  describe('at shutdown', () => {
    it('recovers running jobs, ends queued ones, and rejects new ones', async () => {
      const made = bench([stage('wait', ({ signal }) => delay(60_000, undefined, { signal, ref: false }))], {
        APP_JOBS: '1',
      });
      const first = made.submit('a');
      const second = made.submit('b');
      await waitFor(() => made.jobs.get(first.id).state === 'running', 'the job');
      await made.jobs.beforeApplicationShutdown();
      expect(made.store.find(first.id)?.state).toBe('interrupted');
      expect(made.store.find(second.id)).toMatchObject({ state: 'interrupted', started_at: null });
      expect(made.handler.recoveries).toBe(1);
      expect(() => made.submit('c')).toThrow(expect.objectContaining({ code: 'shutting_down' }));
    });
  });

  describe('on a full disk', () => {
    it('fails the job with storage_unavailable, and writes its end once space is free', async () => {
      const stored = gate();
      const made = bench([
        stage('write', async (context) => {
          stored.open();
          // A program writes output until it is ended.
          for (;;) {
            context.log('x'.repeat(3000));
            await delay(5, undefined, { signal: context.signal });
          }
        }),
      ]);
      const { id } = made.submit('a');
      await stored.opened;
      const pages = made.database.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
      made.database.get(`PRAGMA max_page_count = ${pages}`);
      await waitFor(() => made.jobs.get(id).error !== null, 'the full disk');
      made.database.get('PRAGMA max_page_count = 1000000');
      const job: Job = await made.jobs.whenEnded(id);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'storage_unavailable' } });
      expect(job.error?.message).toContain('no space is left on its disk');
      expect((await made.journal.recent({}, 10, 0)).entries).toMatchObject([{ outcome: 'failed' }]);
    });
  });
});
