import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import type { Actor } from '../../core/logging/index.js';
import { Database } from '../../core/storage/index.js';
import type { LeftoverProcess, ProcessIdentity } from '../../drivers/process/index.js';
import type { JobLogChange } from './job-log.js';
import { ASSUMED_RUN_ON_MS, type CreationPeriod, type JobObject, type ObjectPurpose } from './job-objects.js';
import type { JobErrorDto, JobKind, JobProblemDto, JobState } from './job.dto.js';
import type { Job, JobLogLine, StoredStep } from './job.js';

const ENDED_JOBS_LIMIT = 500;
/** Jobs from which the durations of steps are learned. */
const LEARNED_JOBS = 30;

interface JobRow {
  id: number;
  kind: string;
  runtime: string;
  cluster: string;
  title: string;
  message: string | null;
  state: string;
  input_json: string;
  steps_json: string;
  progress_percent: number;
  progress_step: string | null;
  warnings_json: string;
  problems_json: string;
  error_json: string | null;
  result_json: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  actor_json: string | null;
}

type NewJob = Pick<
  Job,
  'kind' | 'runtime' | 'cluster' | 'title' | 'input' | 'steps' | 'created_at' | 'actor'
>;

@Injectable()
export class JobStore {
  /** Whether no job was active when last looked. Every list of clusters asks, and a query takes longer than the rest. */
  private isIdle = false;
  /** All jobs, until one changes. To parse their JSON takes longer than all else in a response. */
  private listed: readonly Job[] | undefined;

  constructor(private readonly database: Database) {}

  transaction<TResult>(work: () => TResult): TResult {
    return this.database.transaction(work);
  }

  /** @returns the new job, or undefined if the cluster has an active one: a unique index decides. */
  insert(job: NewJob): Job | undefined {
    this.forget();
    try {
      const { kind, runtime, cluster, title, created_at, input, steps, actor } = job;
      const { id } = this.database.insert('jobs', {
        kind,
        runtime,
        cluster,
        title,
        created_at,
        state: 'queued',
        input_json: JSON.stringify(input),
        steps_json: JSON.stringify(steps),
        actor_json: actor && JSON.stringify(actor),
      });
      return this.find(id);
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  update(job: Readonly<Job>): void {
    this.forget();
    this.database.run(
      `UPDATE jobs SET state = ?, message = ?, steps_json = ?, progress_percent = ?, progress_step = ?, warnings_json = ?, error_json = ?,
       result_json = ?, started_at = ?, finished_at = ? WHERE id = ?`,
      job.state,
      job.message,
      JSON.stringify(job.steps),
      job.progress_percent,
      job.progress_step,
      JSON.stringify(job.warnings),
      job.error ? JSON.stringify(job.error) : null,
      job.result ? JSON.stringify(job.result) : null,
      job.started_at,
      job.finished_at,
      job.id,
    );
  }

  setProblems(id: number, problems: readonly JobProblemDto[]): void {
    this.forget();
    this.database.run('UPDATE jobs SET problems_json = ? WHERE id = ?', JSON.stringify(problems), id);
  }

  find(id: number): Readonly<Job> | undefined {
    if (this.listed) return this.listed.find((job) => job.id === id);
    const row = this.database.get<JobRow>('SELECT * FROM jobs WHERE id = ?', id);
    return row && fromRow(row);
  }

  /** Newest first. Callers do not change them: they are shared. */
  list(): readonly Readonly<Job>[] {
    this.listed ??= this.database.all<JobRow>('SELECT * FROM jobs ORDER BY id DESC').map(fromRow);
    return this.listed;
  }

  active(): Job[] {
    if (this.isIdle) return [];
    const rows = this.database.all<JobRow>(
      `SELECT * FROM jobs WHERE state IN ('queued','running') ORDER BY id`,
    );
    this.isIdle = rows.length === 0;
    return rows.map(fromRow);
  }

  /** The active job of a cluster, in one engine or in any. */
  activeOf(cluster: string, runtime?: string): Job | undefined {
    return this.active().find(
      (job) => job.cluster === cluster && (runtime === undefined || job.runtime === runtime),
    );
  }

  /** The steps of the last jobs of an engine that succeeded, the newest first. */
  lastSucceeded(runtime: string, kinds: readonly JobKind[]): StoredStep[][] {
    const rows = this.database.all<{ steps_json: string }>(
      `SELECT steps_json FROM jobs WHERE state = 'succeeded' AND runtime = ? AND kind IN (${kinds.map(() => '?').join(', ')})
       ORDER BY id DESC LIMIT ?`,
      runtime,
      ...kinds,
      LEARNED_JOBS,
    );
    return rows.map(({ steps_json }) => parseOwnJson<StoredStep[]>(steps_json));
  }

  clearEnded(): number {
    this.forget();
    return this.database.run(`DELETE FROM jobs WHERE state NOT IN ('queued','running')`).changes;
  }

  dropOldEnded(): void {
    this.forget();
    this.database.run(
      `DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE state NOT IN ('queued','running') ORDER BY id DESC LIMIT -1 OFFSET ?)`,
      ENDED_JOBS_LIMIT,
    );
  }

  writeLog(jobId: number, { added, cut }: JobLogChange): void {
    this.database.transaction(() => {
      for (const line of cut ? [...added, cut.mark] : added) {
        this.database.insert('job_log', { job_id: jobId, ...line }, 'replace');
      }
      if (cut) {
        this.database.run(
          'DELETE FROM job_log WHERE job_id = ? AND sequence > ? AND sequence <= ?',
          jobId,
          cut.mark.sequence,
          cut.through,
        );
      }
    });
  }

  lastSequence(jobId: number): number {
    return (
      this.database.get<{ last: number }>(
        'SELECT coalesce(max(sequence), 0) AS last FROM job_log WHERE job_id = ?',
        jobId,
      )?.last ?? 0
    );
  }

  log(jobId: number, after = 0): JobLogLine[] {
    return this.database.all<JobLogLine>(
      'SELECT sequence, time, kind, text FROM job_log WHERE job_id = ? AND sequence > ? ORDER BY sequence',
      jobId,
      after,
    );
  }

  addProcess(jobId: number, identity: ProcessIdentity, command: string): void {
    const { pid, started, bootId: boot_id } = identity;
    this.database.insert('job_processes', { job_id: jobId, pid, started, boot_id, command }, 'replace');
  }

  removeProcess(jobId: number, pid: number): void {
    this.database.run('DELETE FROM job_processes WHERE job_id = ? AND pid = ?', jobId, pid);
  }

  removeProcesses(jobId: number): void {
    this.database.run('DELETE FROM job_processes WHERE job_id = ?', jobId);
  }

  touchRunning(now: number): void {
    this.database.run(`UPDATE jobs SET alive_at = ? WHERE state = 'running'`, now);
  }

  beginCreation(jobId: number, now: number, clockOffsetMs: number): void {
    this.database.run(
      'UPDATE jobs SET alive_at = ?, creation_began_at = ?, creation_ended_at = NULL, clock_offset_ms = ? WHERE id = ?',
      now,
      now,
      clockOffsetMs,
      jobId,
    );
  }

  endCreation(jobId: number, now: number): void {
    this.database.run('UPDATE jobs SET creation_ended_at = ? WHERE id = ?', now, jobId);
  }

  /** Sets an assumed end for a creation from before a restart. @returns whether its end was unknown. */
  assumeCreationEnded(jobId: number): boolean {
    const { changes } = this.database.run(
      `UPDATE jobs SET creation_ended_at = alive_at + ?
       WHERE id = ? AND creation_began_at IS NOT NULL AND creation_ended_at IS NULL`,
      ASSUMED_RUN_ON_MS,
      jobId,
    );
    return changes > 0;
  }

  creation(jobId: number, now: number): CreationPeriod | null {
    const row = this.database.get<{ began: number | null; ended: number | null; offset: number }>(
      'SELECT creation_began_at AS began, creation_ended_at AS ended, clock_offset_ms AS offset FROM jobs WHERE id = ?',
      jobId,
    );
    if (!row || row.began === null) return null;
    return { from: row.began, to: row.ended ?? now, clockOffsetMs: row.offset };
  }

  addObjects(jobId: number, purpose: ObjectPurpose, objects: readonly JobObject[]): void {
    this.database.transaction(() => {
      for (const { type, id, node } of objects) {
        this.database.insert('job_objects', { job_id: jobId, purpose, type, id, node }, 'ignore');
      }
    });
  }

  objects(jobId: number, purpose: ObjectPurpose): JobObject[] {
    return this.database.all<JobObject>(
      'SELECT type, id, node FROM job_objects WHERE job_id = ? AND purpose = ?',
      jobId,
      purpose,
    );
  }

  disown(jobId: number): void {
    this.database.transaction(() => {
      this.database.run(`DELETE FROM job_objects WHERE job_id = ? AND purpose = 'create'`, jobId);
      this.database.run(
        'UPDATE jobs SET creation_began_at = NULL, creation_ended_at = NULL WHERE id = ?',
        jobId,
      );
    });
  }

  processes(jobId: number): Omit<LeftoverProcess, 'owner'>[] {
    return this.database
      .all<{ pid: number; started: string; boot_id: string }>(
        'SELECT pid, started, boot_id FROM job_processes WHERE job_id = ?',
        jobId,
      )
      .map(({ pid, started, boot_id }) => ({ pid, started, bootId: boot_id }));
  }

  private forget(): void {
    this.isIdle = false;
    this.listed = undefined;
  }
}

function fromRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind as JobKind,
    runtime: row.runtime,
    cluster: row.cluster,
    title: row.title,
    message: row.message,
    state: row.state as JobState,
    input: parseOwnJson<unknown>(row.input_json),
    steps: parseOwnJson<StoredStep[]>(row.steps_json),
    progress_percent: row.progress_percent,
    seconds_left: null,
    progress_step: row.progress_step,
    warnings: parseOwnJson<string[]>(row.warnings_json),
    problems: parseOwnJson<JobProblemDto[]>(row.problems_json),
    error: row.error_json ? parseOwnJson<JobErrorDto>(row.error_json) : null,
    result: row.result_json ? parseOwnJson<Record<string, unknown>>(row.result_json) : null,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    actor: row.actor_json ? parseOwnJson<Actor>(row.actor_json) : null,
    cancelling: false,
  };
}

/** SQLite's extended result code SQLITE_CONSTRAINT_UNIQUE. */
function isUniqueViolation(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 2067;
}
