import { afterEach, describe, expect, it } from '@jest/globals';
import { gate, JobBenches, stage } from '../../../../test/support/jobs/job-stages.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import type { JobContext, JobStage } from './job-handler.js';

describe('JobExecution', () => {
  const { bench, close } = new JobBenches();
  afterEach(close);

  describe('the end of a job', () => {
    it('is written in one transaction with its journal entry', async () => {
      const made = bench([stage('all')]);
      const { id } = made.jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const complete = made.journal.complete.bind(made.journal);
      let failures = 0;
      made.journal.complete = (...rest) => {
        failures += 1;
        complete(...rest);
        throw new Error('power failure');
      };
      await waitFor(() => made.log.join('').includes('could not end job'), 'the failure');
      expect(failures).toBe(1);
      made.reopen();
      expect(made.store.find(id)?.state).toBe('running');
      expect((await made.journal.recent({}, 10, 0)).entries.map(({ outcome }) => outcome)).toEqual([
        'started',
      ]);
      // The next start recovers it.
      await made.jobs.recover();
      expect((await made.jobs.whenEnded(id)).state).toBe('interrupted');
      expect((await made.journal.recent({}, 10, 0)).entries).toMatchObject([
        { outcome: 'interrupted', job_id: id, message: made.store.find(id)?.message },
      ]);
    });

    it('does not add the wait for a locked database to the duration', async () => {
      const made = bench([stage('all')]);
      const complete = made.journal.complete.bind(made.journal);
      let isLocked = true;
      made.journal.complete = (...rest) => {
        if (!isLocked) return complete(...rest);
        isLocked = false;
        throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
      };
      await made.jobs.whenEnded(made.submit('a').id);
      expect(isLocked).toBe(false);
      // Before the first attempt to write it again.
      expect((await made.journal.recent({}, 1, 0)).entries[0]?.duration_ms).toBeLessThan(900);
    });

    it('is published after it is written', async () => {
      const { jobs, store } = bench([stage('all')]);
      const stored: (string | undefined)[] = [];
      jobs.changes.subscribe(({ job }) => {
        if (job.finished_at !== null) stored.push(store.find(job.id)?.state);
      });
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      await jobs.whenEnded(id);
      expect(stored).toEqual(['succeeded']);
    });

    it('does not depend on whether the handler can write its record', async () => {
      const { jobs, handler } = bench([stage('all')]);
      handler.concludeWith = () => Promise.reject(new Error('disk'));
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const job = await jobs.whenEnded(id);
      expect(job).toMatchObject({ state: 'succeeded', warnings: ['Could not write the record: disk'] });
    });
  });

  describe('undo', () => {
    it('runs in reverse order from the failed stage, and reports what was removed', async () => {
      const undone: string[] = [];
      const undo =
        (name: string): JobStage['undo'] =>
        (context) => {
          undone.push(name);
          context.undone(`${name} removed.`);
          return Promise.resolve();
        };
      const { jobs, handler } = bench([
        stage('a', undefined, undo('a')),
        stage('b'),
        stage('c', () => Promise.reject(new Error('broken')), undo('c')),
        stage('d', undefined, undo('d')),
      ]);
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const job = await jobs.whenEnded(id);
      expect(undone).toEqual(['c', 'a']);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'internal', message: 'broken' } });
      expect(job.steps.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'failed', 'pending']);
      expect(handler.conclusions).toMatchObject([
        { outcome: 'failed', step: 'Title of c', undone: ['c removed.', 'a removed.'], reason: 'broken' },
      ]);
    });

    it('reports rollback_incomplete if it fails, and still undoes the other stages', async () => {
      const undone: string[] = [];
      const { jobs } = bench([
        stage('a', undefined, () => {
          undone.push('a');
          return Promise.resolve();
        }),
        stage(
          'b',
          () => Promise.reject(new Error('broken')),
          () => Promise.reject(new Error('stuck')),
        ),
      ]);
      const { id } = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      const job = await jobs.whenEnded(id);
      expect(undone).toEqual(['a']);
      expect(job.error).toMatchObject({
        code: 'rollback_incomplete',
        message: 'broken The rollback is incomplete: stuck',
      });
      expect(job.state).toBe('failed');
    });

    it('is skipped for a failed job with keepOnFailure, but not for a cancelled one', async () => {
      const undone: string[] = [];
      const { opened, open } = gate();
      const undoing = (name: string) => (): Promise<void> => Promise.resolve(void undone.push(name));
      const fail = async ({ signal }: JobContext): Promise<void> => {
        await opened;
        signal.throwIfAborted();
        throw new Error('broken');
      };
      const { jobs } = bench(() => [
        stage('before', () => Promise.resolve(), undoing('before')),
        { ...stage('a', fail, undoing('a')), keepOnFailure: true },
      ]);
      const cancelled = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      await waitFor(() => jobs.get(cancelled.id).state === 'running', 'the job');
      jobs.cancel(cancelled.id);
      open();
      expect((await jobs.whenEnded(cancelled.id)).state).toBe('cancelled');
      expect(undone).toEqual(['a', 'before']);
      const failed = jobs.submit('create', { runtime: 'docker', name: 'a' }, {});
      expect((await jobs.whenEnded(failed.id)).state).toBe('failed');
      expect(undone).toEqual(['a', 'before', 'before']);
    });
  });
});
