import { setTimeout as delay } from 'node:timers/promises';
import {
  asSentence,
  DomainError,
  ExternalError,
  hasCode,
  reasonOf,
  storageFailure,
} from '../../core/errors/index.js';
import { redact, type AppLogger } from '../../core/logging/index.js';
import { CommandError } from '../../drivers/process/index.js';
import type { JournalService } from '../journal/index.js';
import type { JobHandler, JobStage, UndoContext } from './job-handler.js';
import type { JobConclusion, JobOutcome } from './outcome-message.js';
import type { JobErrorDto } from './job.dto.js';
import type { JobStore } from './job.store.js';
import type { RunningJob } from './running-job.js';

const RECOVERY_RETRY_MS = 2000;
const STORAGE_RETRY_MS = 1000;

type Attempt = { succeeded: true } | { succeeded: false; error: unknown; started: readonly JobStage[] };

/** Runs the stages of a job, and undoes them in reverse order if one fails. */
export class JobExecution {
  constructor(
    private readonly store: JobStore,
    private readonly journal: JournalService,
    private readonly logger: AppLogger,
  ) {}

  async run(handler: JobHandler, running: RunningJob): Promise<void> {
    const { job } = running;
    running.begin();
    const attempt = await this.runStages(handler, running);
    if (attempt.succeeded) {
      await this.conclude(handler, running, { outcome: 'succeeded', step: null });
      return;
    }
    const step = job.progress_step;
    if (running.endReason === 'shutdown') {
      running.write('Slipway is stopping.', 'note');
      await this.reconcile(handler, running, step);
      return;
    }
    const outcome: JobOutcome = running.endReason === 'cancelled' ? 'cancelled' : 'failed';
    running.finishStep(outcome);
    if (outcome === 'failed') this.noteFailure(running, running.storageError ?? attempt.error);
    const kept = attempt.started.filter((stage) => outcome === 'failed' && stage.keepOnFailure === true);
    if (kept.length > 0) running.write('Kept the result of the failed step, as requested.', 'note');
    await this.undo(
      attempt.started.filter((stage) => !kept.includes(stage)),
      running,
    );
    await this.conclude(handler, running, { outcome, step });
  }

  private async runStages(handler: JobHandler, running: RunningJob): Promise<Attempt> {
    const started: JobStage[] = [];
    try {
      for (const stage of handler.plan(running.job.input)) {
        running.signal.throwIfAborted();
        started.push(stage);
        await this.runStage(stage, running);
      }
      return { succeeded: true };
    } catch (error) {
      return { succeeded: false, error, started };
    }
  }

  async concludeQueued(handler: JobHandler, running: RunningJob, outcome: JobOutcome): Promise<void> {
    await this.conclude(handler, running, { outcome, step: null });
  }

  /** Recovers and ends a job that was running at the time of a crash. */
  async recover(handler: JobHandler, running: RunningJob): Promise<void> {
    // A queued job has nothing to recover and must not start now.
    if (running.job.started_at === null) {
      await this.concludeQueued(handler, running, 'interrupted');
      return;
    }
    running.write('Slipway stopped while this job was running. Recovering the job.', 'note');
    await this.reconcile(handler, running, running.job.progress_step);
  }

  /** Lets the handler complete or undo the job as soon as the engine is available. */
  private async reconcile(handler: JobHandler, running: RunningJob, step: string | null): Promise<void> {
    running.finishStep('cancelled');
    const stopping = running.endReason === 'shutdown';
    // A shutdown has aborted the job's own signal, but recovery must still run.
    const signal = stopping ? new AbortController().signal : running.signal;
    const context = running.undoContext(signal);
    let completed = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        completed = await handler.recover(running.job.input, context);
        break;
      } catch (error) {
        // Still `running` in the database, so the next start recovers it.
        if (running.endReason === 'shutdown') return;
        const unreachable = hasCode(error, 'runtime_unavailable');
        if (!unreachable || running.endReason === 'cancelled') {
          const incomplete = `Recovery is incomplete: ${redact(reasonOf(error))}`;
          context.warn(incomplete);
          // The final message must not claim that everything was undone.
          running.undoneSentences.push(asSentence(incomplete));
          break;
        }
        // The state of the cluster is unknown meanwhile, so it stays busy.
        if (attempt === 0) {
          running.write(
            `${error.message} Waiting for the engine. Cancel this job to stop waiting.`,
            'warning',
          );
        }
        running.writeNow();
        await delay(RECOVERY_RETRY_MS, undefined, { signal: running.signal }).catch(() => undefined);
      }
    }
    await this.conclude(handler, running, { outcome: 'interrupted', step, completed });
  }

  private noteFailure(running: RunningJob, error: unknown): void {
    const { job } = running;
    job.error = describeError(error);
    running.write(job.error.message, 'error');
    const expected = error instanceof DomainError || error instanceof ExternalError;
    if (!expected && storageFailure(error) === undefined) {
      this.logger.failure(`job ${job.id} failed unexpectedly`, error);
    }
  }

  private async runStage(stage: JobStage, running: RunningJob): Promise<void> {
    const names = stage.steps.map((step) => step.name);
    const context = running.stageContext(names);
    if (names[0]) running.startStep(names[0]);
    await stage.run(context);
    running.signal.throwIfAborted();
    running.finishStep('succeeded');
    running.skipPending(names);
  }

  /** Undoes stages in reverse order. If one fails, the others are still undone. */
  private async undo(started: readonly JobStage[], running: RunningJob): Promise<void> {
    await this.whenWritable(running, () => running.flush());
    const context: UndoContext = running.undoContext(new AbortController().signal);
    for (const stage of started.toReversed()) {
      if (!stage.undo) continue;
      try {
        await stage.undo(context);
      } catch (error) {
        const message = `The rollback is incomplete: ${redact(reasonOf(error))}`;
        context.warn(message);
        running.job.error = {
          ...(running.job.error ?? describeError(error)),
          code: 'rollback_incomplete',
          message: running.job.error ? `${running.job.error.message} ${message}` : message,
        };
        this.logger.failure(`rollback of job ${running.job.id} is incomplete`, error);
      }
    }
  }

  private async conclude(
    handler: JobHandler,
    running: RunningJob,
    { outcome, step, completed = false }: { outcome: JobOutcome; step: string | null; completed?: boolean },
  ): Promise<void> {
    const { job } = running;
    const conclusion: JobConclusion = {
      job,
      log: () => this.store.log(job.id),
      outcome,
      step,
      completed,
      undone: running.undoneSentences,
      reason: job.error?.message ?? null,
    };
    running.writeLog();
    await this.whenWritable(running, () => running.flush());
    try {
      await handler.conclude(job.input, conclusion);
    } catch (error) {
      // The job itself is done, and stays done.
      running.undoContext(running.signal).warn(`Could not write the record: ${redact(reasonOf(error))}`);
      this.logger.failure(`job ${job.id} could not write its record`, error);
    }
    // A failed rollback makes any outcome a failure.
    const state: JobOutcome = job.error?.code === 'rollback_incomplete' ? 'failed' : outcome;
    job.state = state;
    job.cancelling = false;
    if (outcome === 'succeeded') job.progress_percent = 100;
    const message = handler.describe(job.input, conclusion);
    job.message = message;
    running.write(message, state === 'succeeded' ? 'done' : state === 'failed' ? 'error' : 'note');
    job.finished_at = new Date().toISOString();
    const duration = running.durationMs;
    running.writeLog();
    await this.whenWritable(running, () => running.flush());
    const entry = await this.whenWritable(running, () =>
      this.store.transaction(() => {
        this.store.removeProcesses(job.id);
        this.store.update(job);
        return this.journal.complete(job.id, {
          kind: job.kind,
          runtime: job.runtime,
          cluster: job.cluster || null,
          outcome: state,
          message,
          job_id: job.id,
          duration_ms: duration,
          actor: job.actor,
        });
      }),
    );
    running.announce();
    entry.announce();
  }

  /** Waits for free disk space, or for a lock to end: otherwise the cluster would stay busy until a restart. */
  private async whenWritable<TResult>(running: RunningJob, write: () => TResult): Promise<TResult> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return write();
      } catch (error) {
        // Still `running` in the database, so the next start recovers it.
        if (storageFailure(error) === undefined || running.isShuttingDown) throw error;
        if (attempt === 0) {
          this.logger.failure(`could not write the end of job ${running.job.id} yet`, error);
        }
        await delay(STORAGE_RETRY_MS, undefined, { ref: false });
      }
    }
  }
}

function describeError(error: unknown): JobErrorDto {
  if (error instanceof CommandError) {
    const output = [error.stdout, error.stderr].filter((part) => part !== '').join('\n');
    return {
      code: 'command_failed',
      message: `${error.message}.`,
      command: error.commandLine,
      output: output.slice(-20_000),
    };
  }
  if (error instanceof DomainError) {
    const { cause } = error;
    const command = cause instanceof CommandError ? cause : undefined;
    return {
      code: error.code,
      message: error.message,
      command: command?.commandLine ?? null,
      output: command ? `${command.stdout}\n${command.stderr}`.trim().slice(-20_000) : null,
    };
  }
  const unwritten = storageFailure(error);
  return {
    code:
      unwritten !== undefined
        ? 'storage_unavailable'
        : error instanceof ExternalError
          ? error.code
          : 'internal',
    message: unwritten ?? redact(reasonOf(error)),
    command: null,
    output: null,
  };
}
