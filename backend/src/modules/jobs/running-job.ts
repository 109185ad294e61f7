import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseLocked } from '../../core/errors/index.js';
import type { OutputLine, ProcessTracking } from '../../drivers/process/index.js';
import { JobLog } from './job-log.js';
import type { JobContext, UndoContext } from './job-handler.js';
import type { JobObjects } from './job-objects.js';
import type { LogKind, StepState } from './job.dto.js';
import type { Job, JobLogLine } from './job.js';
import type { JobStore } from './job.store.js';
import { predict } from './prediction.js';

/** How often progress and log of a running job are written and published. Steps are written immediately. */
const FLUSH_MS = 200;
/** How long a job goes on while another program locks the database. A crash meanwhile would leave what it made. */
const MAX_LOCK_MS = 60_000;

export interface RunningJobListener {
  jobChanged: (job: Job) => void;
  logGrew: (jobId: number, lines: readonly JobLogLine[]) => void;
}

/** Why a job was aborted. */
type EndReason = 'cancelled' | 'shutdown' | 'storage';

/** A running job: its progress, log, processes, and abort signal. */
export class RunningJob {
  readonly undoneSentences: string[] = [];
  /** The first error from writing the job, which aborted it. */
  storageError: unknown;
  /** Whether the server is stopping, even if the job was aborted for another reason. */
  isShuttingDown = false;
  private readonly controller = new AbortController();
  private readonly log: JobLog;
  /** Writes that a lock of another program delays, in order. */
  private readonly waiting: (() => void)[] = [];
  private lockedSince: number | undefined;
  private unannounced: JobLogLine[] = [];
  private dirty = false;
  private flushing = false;
  private fraction = 0;
  /** Of `performance.now()`, since the clock of the machine can be set; undefined for what another process began. */
  private began: number | undefined;
  private stepBegan: number | undefined;

  constructor(
    readonly job: Job,
    private readonly owner: string,
    private readonly store: JobStore,
    private readonly listener: RunningJobListener,
  ) {
    this.log = new JobLog(store.lastSequence(job.id));
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get endReason(): EndReason | undefined {
    return this.signal.aborted ? (this.signal.reason as EndReason) : undefined;
  }

  /** Milliseconds until now, or those between the dates of a job that another process began; null if it never ran. */
  get durationMs(): number | null {
    const seconds = secondsSince(this.began);
    if (seconds !== undefined) return Math.round(seconds * 1000);
    const { started_at, finished_at } = this.job;
    if (started_at === null || finished_at === null) return null;
    // The clock can have been set back.
    return Math.max(0, Date.parse(finished_at) - Date.parse(started_at));
  }

  begin(): void {
    this.job.state = 'running';
    this.job.started_at = now();
    this.began = performance.now();
    this.writeNow();
  }

  end(reason: 'cancelled' | 'shutdown'): void {
    if (reason === 'shutdown') this.isShuttingDown = true;
    if (this.signal.aborted) return;
    this.job.cancelling = true;
    this.recompute();
    this.controller.abort(reason);
    this.writeNow();
  }

  /** @param stepNames the steps that the stage may start. */
  stageContext(stepNames: readonly string[]): JobContext {
    return {
      ...this.undoContext(this.signal),
      step: (name) => {
        if (!stepNames.includes(name)) throw new Error(`step ${name} does not belong to this stage`);
        this.startStep(name);
      },
      progress: (fraction, detail) => this.progress(fraction, detail),
      result: (fields) => {
        this.job.result = { ...this.job.result, ...fields };
        this.writeSoon();
      },
    };
  }

  undoContext(signal: AbortSignal): UndoContext {
    return {
      job: this.job,
      signal,
      log: (text, kind = 'note') => this.write(text, kind),
      objects: this.objects(),
      warn: (text) => {
        this.job.warnings.push(text);
        this.write(text, 'warning');
      },
      tracking: () => this.tracking(signal),
      undone: (sentence) => {
        this.undoneSentences.push(sentence);
        this.write(sentence, 'note');
      },
    };
  }

  private objects(): JobObjects {
    const { store } = this;
    const { id } = this.job;
    return {
      record: (purpose, objects) => this.persist(() => store.addObjects(id, purpose, objects)),
      recorded: (purpose) => store.objects(id, purpose),
      beginCreation: (clockOffsetMs) =>
        this.persist(() => store.beginCreation(id, Date.now(), clockOffsetMs)),
      endCreation: () => this.persist(() => store.endCreation(id, Date.now())),
      creation: () => store.creation(id, Date.now()),
      disown: () => this.persist(() => store.disown(id)),
    };
  }

  write(text: string, kind: LogKind): void {
    this.unannounced.push(this.log.append(text, kind, now()));
    this.scheduleFlush();
  }

  startStep(name: string): void {
    const step = this.job.steps.find((candidate) => candidate.name === name);
    if (!step || step.state !== 'pending') return;
    this.finishStep('succeeded');
    step.state = 'running';
    step.started_at = now();
    this.stepBegan = performance.now();
    this.fraction = 0;
    this.job.progress_step = step.title;
    this.recompute();
    this.write(step.title, 'step');
    this.writeNow();
  }

  finishStep(state: StepState): void {
    const step = this.job.steps.find((candidate) => candidate.state === 'running');
    if (!step) return;
    step.state = state;
    step.finished_at = now();
    step.seconds = secondsSince(this.stepBegan);
    this.fraction = 0;
    this.recompute();
    this.writeNow();
  }

  /** Marks steps that the stage did not need, such as the load balancer of a cluster with one control plane. */
  skipPending(names: readonly string[]): void {
    for (const step of this.job.steps) {
      if (names.includes(step.name) && step.state === 'pending') step.state = 'skipped';
    }
    this.recompute();
  }

  writeNow(): void {
    this.dirty = false;
    const writeLog = this.logWrite();
    this.persist(() =>
      this.store.transaction(() => {
        this.store.update(this.job);
        writeLog?.();
      }),
    );
    this.listener.jobChanged(this.job);
  }

  announce(): void {
    this.listener.jobChanged(this.current());
  }

  /** The job with its progress at this moment. */
  current(): Job {
    this.recompute();
    return this.job;
  }

  /** Publishes the progress that time alone makes. */
  tick(): void {
    const { progress_percent, seconds_left } = this.job;
    this.recompute();
    if (seconds_left !== this.job.seconds_left || progress_percent !== this.job.progress_percent) {
      this.announce();
    }
  }

  writeLog(): void {
    const writeLog = this.logWrite();
    if (writeLog) this.persist(writeLog);
  }

  /** Writes what waits. @throws Error if another program still locks the database */
  flush(): void {
    for (let write = this.waiting[0]; write; write = this.waiting[0]) {
      try {
        write();
      } catch (error) {
        if (isDatabaseLocked(error)) throw error;
        this.fail(error);
      }
      this.waiting.shift();
    }
    this.lockedSince = undefined;
  }

  /** Takes the new lines of the log. @returns what stores them, which can be tried again */
  private logWrite(): (() => void) | undefined {
    const change = this.log.drain();
    const lines = this.unannounced;
    this.unannounced = [];
    if (!change && lines.length === 0) return undefined;
    return () => {
      if (change) this.store.writeLog(this.job.id, change);
      if (lines.length > 0) this.listener.logGrew(this.job.id, lines);
    };
  }

  private progress(fraction: number, detail?: string): void {
    const step = this.job.steps.find((candidate) => candidate.state === 'running');
    if (!step) return;
    if (detail !== undefined) step.detail = detail;
    this.fraction = Math.max(this.fraction, Math.min(1, fraction));
    this.recompute();
    this.writeSoon();
  }

  /** The percentage never decreases. Without an end in sight, as during a cancellation, it stays. */
  private recompute(): void {
    const { job } = this;
    job.seconds_left = null;
    if (job.state !== 'running' || job.cancelling || job.error) return;
    const elapsed = { job: secondsSince(this.began) ?? 0, step: secondsSince(this.stepBegan) ?? 0 };
    const { percent, secondsLeft } = predict(job.steps, this.fraction, elapsed);
    job.progress_percent = Math.max(job.progress_percent, percent);
    job.seconds_left = secondsLeft;
  }

  /**
   * Writes happen in callbacks, which cannot throw. A failed write aborts the job: without its record it could not be
   * recovered after a crash. A lock of another program usually ends soon, so it only delays the writes.
   */
  private persist(write: () => void): void {
    this.waiting.push(write);
    this.writeWaiting();
  }

  private writeWaiting(): void {
    try {
      this.flush();
    } catch (error) {
      this.lockedSince ??= performance.now();
      if (performance.now() - this.lockedSince > MAX_LOCK_MS) this.fail(error);
      this.scheduleFlush();
    }
  }

  private fail(error: unknown): void {
    this.storageError ??= error;
    if (!this.signal.aborted) this.controller.abort('storage' satisfies EndReason);
  }

  private writeSoon(): void {
    this.dirty = true;
    this.scheduleFlush();
  }

  private scheduleFlush(): void {
    if (this.flushing) return;
    this.flushing = true;
    void delay(FLUSH_MS, undefined, { ref: false }).then(() => {
      this.flushing = false;
      // The end of a job is written completely, and its row may be deleted by now.
      if (this.job.finished_at !== null) return;
      if (this.dirty) this.writeNow();
      else this.writeLog();
      if (this.waiting.length > 0) this.writeWaiting();
    });
  }

  private tracking(signal: AbortSignal): ProcessTracking {
    return {
      signal,
      owner: this.owner,
      onStarted: (identity, commandLine) => {
        this.persist(() => this.store.addProcess(this.job.id, identity, commandLine));
        this.write(commandLine, 'command');
      },
      onEnded: ({ pid }) => this.persist(() => this.store.removeProcess(this.job.id, pid)),
      onLine: ({ text }: OutputLine) => {
        if (text.trim() !== '') this.write(text.trimEnd(), 'output');
      },
    };
  }
}

function now(): string {
  return new Date().toISOString();
}

function secondsSince(began: number | undefined): number | undefined {
  return began === undefined ? undefined : (performance.now() - began) / 1000;
}
