import type { ProcessTracking } from '../../drivers/process/index.js';
import type { JobObjects } from './job-objects.js';
import type { JobKind, LogKind } from './job.dto.js';
import type { Job } from './job.js';
import { describeOutcome, type JobConclusion, type OutcomeTexts } from './outcome-message.js';

/** A step of a job. All steps are known before the job runs, for the percentage. */
export interface StepPlan {
  name: string;
  title: string;
  /** Typical duration in seconds, which grows with the work. Its last runs on the engine replace it. */
  weight: number;
  /** Whether earlier runs say nothing about the duration, as for other charts. */
  varies?: boolean;
}

/**
 * A part of a job that is undone as a unit. Most stages have one step; a stage that runs a program with its own
 * steps has several.
 */
export interface JobStage {
  steps: StepPlan[];
  run: (context: JobContext) => Promise<void>;
  /** Reverts `run`, even if it failed halfway. Must be idempotent. */
  undo?: (context: UndoContext) => Promise<void>;
  /** Whether a failed job does not undo this stage, to allow debugging. A cancelled job does. */
  keepOnFailure?: boolean;
}

/** The context of `undo` and `recover`. Its signal is not the job's: a cancelled job must still clean up. */
export interface UndoContext {
  readonly job: Readonly<Job>;
  readonly signal: AbortSignal;
  readonly log: (text: string, kind?: LogKind) => void;
  /** Objects in the engine that belong to the job. */
  readonly objects: JobObjects;
  warn(text: string): void;
  tracking(): ProcessTracking;
  /** Adds a sentence about a verified removal or rollback to the job's message and the journal. */
  undone(sentence: string): void;
}

export interface JobContext extends UndoContext {
  step(name: string): void;
  /** Progress of the current step, from 0 to 1. It never decreases. */
  progress(fraction: number, detail?: string): void;
  /** Merged into the job's result. */
  result(fields: Record<string, unknown>): void;
}

/** One kind of job: its plan, its messages, and its recovery after a crash. */
export abstract class JobHandler<TInput = unknown> {
  abstract readonly kind: JobKind;

  /** Called at submission to list the steps, and again to run them. Must have no side effects. */
  abstract plan(input: TInput): JobStage[];

  /** Called once after the job has run and been undone, before its end is published. */
  async conclude(_input: TInput, _conclusion: JobConclusion): Promise<void> {}

  /** Without a period, for pages, programs and the journal: `Upgrade Traefik in shop`. */
  abstract title(input: TInput): string;

  /** The message in the journal while the job is active. */
  announce(input: TInput): string {
    return `${this.title(input)}.`;
  }

  abstract texts(input: TInput, conclusion: JobConclusion): OutcomeTexts;

  /** The message of the ended job, and of its entry in the journal. */
  describe(input: TInput, conclusion: JobConclusion): string {
    return describeOutcome(conclusion, this.texts(input, conclusion));
  }

  /**
   * Completes or undoes a job that was running when Slipway stopped. Its processes have already been ended. Not called
   * for a job that never started.
   * @returns whether the job is complete.
   * @throws DomainError `runtime_unavailable` to be called again later.
   */
  abstract recover(input: TInput, context: UndoContext): Promise<boolean>;
}
