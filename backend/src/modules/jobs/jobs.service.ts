import { createHash } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { DomainError, reasonOf, guarded, guardedInterval } from '../../core/errors/index.js';
import { AppLogger, currentActor, runAs, SYSTEM_ACTOR } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import { ProcessRunner } from '../../drivers/process/index.js';
import { JournalService } from '../journal/index.js';
import { JobExecution } from './job-execution.js';
import type { JobHandler, JobStage } from './job-handler.js';
import type { JobKind, JobProblemDto } from './job.dto.js';
import { pendingSteps, predict } from './prediction.js';
import { isActive, type Job, type JobLogLine, type StoredStep } from './job.js';
import { JobStore } from './job.store.js';
import { RunningJob, type RunningJobListener } from './running-job.js';

/** How long a shutdown waits for rollbacks. The next start finishes the rest. */
const SHUTDOWN_MS = 20_000;

/** How often running jobs are marked alive. After a crash this tells when they last ran. */
const HEARTBEAT_MS = 1000;

const MAX_QUEUED = 100;

/** Kinds with the same steps, which learn from each other. */
const CREATIONS: readonly JobKind[] = ['create', 'clone', 'recreate'];

interface JobChange {
  job: Job;
}

interface JobLogChangeEvent {
  jobId: number;
  lines: readonly JobLogLine[];
}

/** Runs long operations as jobs, with a queue, progress, cancellation, undo, and recovery after a crash. */
@Injectable()
export class JobsService implements BeforeApplicationShutdown {
  private readonly handlers = new Map<JobKind, JobHandler>();
  private readonly running = new Map<number, RunningJob>();
  private readonly ended = new Map<number, Promise<void>>();
  private readonly changed = new Subject<JobChange>();
  private readonly logged = new Subject<JobLogChangeEvent>();
  private readonly execution: JobExecution;
  private readonly listener: RunningJobListener = {
    jobChanged: (job) => this.changed.next({ job: structuredClone(job) }),
    logGrew: (jobId, lines) => this.logged.next({ jobId, lines }),
  };
  private stopping = false;
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly store: JobStore,
    private readonly journal: JournalService,
    private readonly processes: ProcessRunner,
    private readonly logger: AppLogger,
  ) {
    this.execution = new JobExecution(store, journal, this.logger);
  }

  /** Every change of a job, without its log. */
  get changes(): Observable<JobChange> {
    return this.changed.asObservable();
  }

  get logChanges(): Observable<JobLogChangeEvent> {
    return this.logged.asObservable();
  }

  register(handler: JobHandler): void {
    if (this.handlers.has(handler.kind)) {
      throw new Error(`duplicate handler for jobs of kind ${handler.kind}`);
    }
    this.handlers.set(handler.kind, handler);
  }

  /**
   * Queues a job.
   * @param owner the cluster; its name is `ENGINE_ITSELF` for a job of an engine.
   * @throws DomainError `cluster_busy` with the id of the active job, or `too_many_requests`.
   */
  submit(kind: JobKind, owner: { name: string; runtime: string }, input: unknown): Job {
    if (this.stopping) throw new DomainError('shutting_down', 'Slipway is stopping. Start it again first.');
    if (this.store.active().filter(({ state }) => state === 'queued').length >= MAX_QUEUED) {
      throw new DomainError(
        'too_many_requests',
        `${MAX_QUEUED} jobs are queued, which is the maximum. Wait until some have ended, or cancel them.`,
      );
    }
    const { name: cluster, runtime } = owner;
    const handler = this.handlerOf(kind);
    const stages = handler.plan(input);
    const job = this.store.transaction(() => {
      const inserted = this.store.insert({
        kind,
        runtime,
        cluster,
        title: handler.title(input),
        input,
        steps: this.stepsOf(kind, runtime, stages),
        created_at: new Date().toISOString(),
        actor: currentActor(),
      });
      if (!inserted) {
        throw busy(cluster || runtime, this.store.activeOf(cluster, runtime) ?? this.store.activeOf(cluster));
      }
      this.journal.record({
        kind: inserted.kind,
        runtime: inserted.runtime,
        cluster: inserted.cluster || null,
        outcome: 'started',
        message: handler.announce(input),
        job_id: inserted.id,
        actor: inserted.actor,
      });
      return inserted;
    });
    this.listener.jobChanged(job);
    setImmediate(guarded(() => this.startQueued(), 'start queued jobs'));
    return job;
  }

  /** Expected seconds of a job that is not submitted yet; null without earlier ones on this host. */
  estimate(kind: JobKind, runtime: string, input: unknown): number | null {
    const steps = this.stepsOf(kind, runtime, this.handlerOf(kind).plan(input));
    return predict(steps, 0, { job: 0, step: 0 }).secondsLeft;
  }

  list(): Job[] {
    return this.store.list().map((job) => this.running.get(job.id)?.current() ?? job);
  }

  /** @throws DomainError `job_not_found` */
  get(id: number): Job {
    const job = this.running.get(id)?.current() ?? this.store.find(id);
    if (!job) {
      throw new DomainError(
        'job_not_found',
        `Job ${id} does not exist. It may have been deleted; the journal keeps its entry.`,
      );
    }
    return job;
  }

  log(id: number, after = 0): JobLogLine[] {
    this.running.get(id)?.writeLog();
    return this.store.log(id, after);
  }

  activeOf(cluster: string, runtime?: string): Job | undefined {
    const stored = this.store.activeOf(cluster, runtime);
    return stored && (this.running.get(stored.id)?.job ?? stored);
  }

  /** @throws DomainError `cluster_busy` with the id of the cluster's active job, in one engine or in any. */
  assertIdle(cluster: string, runtime?: string): void {
    const job = this.activeOf(cluster, runtime);
    if (job) throw busy(cluster, job);
  }

  active(): Job[] {
    return this.store.active().map((job) => this.running.get(job.id)?.job ?? job);
  }

  async whenEnded(id: number): Promise<Job> {
    await this.ended.get(id);
    const job = this.get(id);
    if (!isActive(job.state)) return job;
    return await new Promise((resolve) => {
      const subscription = this.changed.subscribe(({ job: changed }) => {
        if (changed.id !== id || isActive(changed.state)) return;
        subscription.unsubscribe();
        resolve(changed);
      });
    });
  }

  /**
   * Cancels a job. It ends once its processes have ended and it has been undone. Cancelling it again has no effect.
   * @throws DomainError `job_not_found`, or `job_ended` with its state.
   */
  cancel(id: number): Job {
    const job = this.get(id);
    if (!isActive(job.state)) {
      throw new DomainError('job_ended', `Job ${id} has already ended: ${job.state}.`, {
        job_id: id,
        state: job.state,
      });
    }
    const running = this.running.get(id);
    if (running) running.end('cancelled');
    else {
      this.track({ ...job }, (work) =>
        this.execution.concludeQueued(this.handlerOf(job.kind), work, 'cancelled'),
      );
    }
    return this.get(id);
  }

  /** Records what does not work after a job that has ended. */
  noteProblems(id: number, problems: readonly JobProblemDto[]): void {
    const job = this.store.find(id);
    if (!job || JSON.stringify(job.problems) === JSON.stringify(problems)) return;
    this.store.setProblems(id, problems);
    this.listener.jobChanged({ ...job, problems: [...problems] });
  }

  clear(): number {
    return this.store.clearEnded();
  }

  /**
   * Recovers the jobs of a previous run: ends their processes, calls their handlers, and ends them as `interrupted`.
   * Call once, after all handlers are registered.
   */
  async recover(): Promise<void> {
    const interrupted = this.store.active();
    if (interrupted.length === 0) return;
    // Tracked before anything is awaited: the server already accepts requests, which must neither start nor end a
    // job that still needs recovery.
    const endings = interrupted.map((job) => {
      const owner = this.ownerOf(job);
      const isEndUnknown = this.store.assumeCreationEnded(job.id);
      const ending = this.processes.endLeftovers(
        this.store.processes(job.id).map((process) => ({ ...process, owner })),
        [owner],
      );
      this.track(job, async (work) => {
        const killed = await ending;
        this.store.removeProcesses(job.id);
        // The provisioner was running until now.
        if (isEndUnknown && killed > 0) this.store.endCreation(job.id, Date.now());
        this.logger.warning(`job ${job.id} (${job.kind} ${job.cluster}) was interrupted; recovering it`, {
          killed,
        });
        await this.execution.recover(this.handlerOf(job.kind), work);
      });
      return ending;
    });
    await Promise.all(endings);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    for (const running of this.running.values()) running.end('shutdown');
    for (const job of this.store.active()) {
      if (job.state !== 'queued' || this.running.has(job.id)) continue;
      this.track(job, (work) => this.execution.concludeQueued(this.handlerOf(job.kind), work, 'interrupted'));
    }
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, SHUTDOWN_MS);
    });
    await Promise.race([Promise.allSettled(this.ended.values()), timeout]);
    clearTimeout(timer);
  }

  private startQueued(): void {
    if (this.stopping) return;
    for (const job of this.store.active()) {
      if (this.running.size >= this.configuration.values.jobs) return;
      if (job.state !== 'queued' || this.running.has(job.id)) continue;
      this.track(job, (work) => this.execution.run(this.handlerOf(job.kind), work));
    }
  }

  private track(job: Job, work: (running: RunningJob) => Promise<void>): void {
    const running = new RunningJob(job, this.ownerOf(job), this.store, this.listener);
    this.running.set(job.id, running);
    this.heartbeat ??= guardedInterval(() => this.beat(), HEARTBEAT_MS, 'mark jobs alive').unref();
    // The job belongs to its submitter, not to the request or job whose end started it.
    const end = runAs(job.actor ?? SYSTEM_ACTOR, () => work(running))
      .catch((error: unknown) =>
        this.logger.failure(`could not end job ${job.id}: ${reasonOf(error)}`, error),
      )
      .finally(() => {
        this.running.delete(job.id);
        if (this.running.size === 0) {
          clearInterval(this.heartbeat);
          this.heartbeat = undefined;
        }
        this.ended.delete(job.id);
        this.afterEnd();
      });
    this.ended.set(job.id, end);
  }

  private beat(): void {
    for (const running of this.running.values()) running.tick();
    try {
      this.store.touchRunning(Date.now());
    } catch (error) {
      // The disk is full or the database is busy. A lasting error ends the job itself.
      this.logger.debug(`could not mark running jobs alive: ${reasonOf(error)}`);
    }
  }

  /** Must not throw: an unhandled rejection would end the server. */
  private afterEnd(): void {
    try {
      this.startQueued();
      this.store.dropOldEnded();
    } catch (error) {
      this.logger.failure('could not delete old jobs', error);
    }
  }

  private stepsOf(kind: JobKind, runtime: string, stages: readonly JobStage[]): StoredStep[] {
    const kinds = CREATIONS.includes(kind) ? CREATIONS : [kind];
    return pendingSteps(
      stages.flatMap(({ steps }) => steps),
      () => this.store.lastSucceeded(runtime, kinds),
    );
  }

  private handlerOf(kind: JobKind): JobHandler {
    const handler = this.handlers.get(kind);
    if (!handler) throw new Error(`no handler for jobs of kind ${kind}`);
    return handler;
  }

  /** Unique on the host: two servers with different data folders must not end each other's processes. */
  private ownerOf(job: Job): string {
    const folder = createHash('sha256').update(this.dataDirectory.root).digest('hex').slice(0, 12);
    return `${folder}-job-${job.id}`;
  }
}

function busy(cluster: string, active: Job | undefined): DomainError {
  const job = active ? `job ${active.id} (${active.kind})` : 'another job';
  return new DomainError(
    'cluster_busy',
    `${cluster} is busy: ${job} is running. Wait until it has ended, or cancel it.`,
    { job_id: active?.id ?? null },
  );
}
