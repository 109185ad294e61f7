import type { ProcessTracking } from '../../drivers/process/index.js';
import type { JobObjects } from './job-objects.js';
import type { Job, JobKind, JobLogLine, LogKind } from './job.js';

/** Announces one step before anything runs: the percentage is true only because all are known beforehand. */
export interface StepPlan {
  name: string;
  title: string;
  /** Seconds that it usually takes; only the ratio between steps counts. */
  weight: number;
}

/**
 * A part of a job that succeeds or is undone as a whole. Most stages are one step; one that drives a
 * program which reports steps of its own has several.
 */
export interface JobStage {
  steps: StepPlan[];
  run: (context: JobContext) => Promise<void>;
  /** Removes what `run` made, also after it failed in the middle. Must be repeatable. */
  undo?: (context: UndoContext) => Promise<void>;
  /** Whether a failed job leaves what this stage made, for somebody to look into. A cancelled one never does. */
  keepOnFailure?: boolean;
}

/** How a job ended, for the handler's last word. */
export type JobOutcome = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

export interface JobLog {
  (text: string, kind?: LogKind): void;
}

/** What undoing may use. It has no signal of the job: a cancelled job must still clean up. */
export interface UndoContext {
  readonly job: Readonly<Job>;
  readonly signal: AbortSignal;
  readonly log: JobLog;
  /** What belongs to the job in an engine. */
  readonly objects: JobObjects;
  warn(text: string): void;
  tracking(): ProcessTracking;
  /** A sentence about what was removed and proven gone, for the job's message and the journal. */
  undone(sentence: string): void;
}

/** What a stage may use. */
export interface JobContext extends UndoContext {
  /** Begins a step of this stage, ending the one before it. The first one begins by itself. */
  step(name: string): void;
  /** How far the current step is, from 0 to 1; it never goes back. */
  progress(fraction: number, detail?: string): void;
  /** Merged into the job's result. */
  result(fields: Record<string, unknown>): void;
}

/** Everything that a kind of job does. */
export interface JobPlan {
  stages: JobStage[];
}

export interface JobConclusion {
  outcome: JobOutcome;
  /** The title of the step at which it ended, where it did not succeed. */
  step: string | null;
  /** What undoing said it removed. */
  undone: string[];
  reason: string | null;
  /** Whether an interrupted job had brought about the whole thing, which then stays. */
  completed: boolean;
}

/** One kind of job: its plan, its last word, and how to put right what a crash left. */
export abstract class JobHandler<TInput = unknown> {
  abstract readonly kind: JobKind;

  abstract plan(input: TInput, job: Readonly<Job>): JobPlan;

  /**
   * Called once when the job has ended and its undoing is over, before anyone is told. May write files. For
   * kinds that keep nothing, or keep it as they go so that a crash leaves it true, there is nothing to do.
   */
  async conclude(
    _input: TInput,
    _job: Readonly<Job>,
    _conclusion: JobConclusion,
    _log: readonly JobLogLine[],
  ): Promise<void> {}

  /** The sentence for the journal. */
  abstract describe(input: TInput, job: Readonly<Job>, conclusion: JobConclusion): string;

  /** The sentence for the journal while it is under way. */
  abstract announce(input: TInput): string;

  /**
   * Puts right what a job left that was at work when the product ended: either the whole thing is there
   * afterwards, or nothing. Its processes are ended already. Not called for a job that never started.
   * @returns whether the whole thing is there.
   * @throws DomainError `runtime_unavailable` to be asked again later.
   */
  abstract recover(input: TInput, context: UndoContext): Promise<boolean>;
}
