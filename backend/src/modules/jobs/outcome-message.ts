import { asSentence } from '../../core/errors/index.js';
import type { Job, JobLogLine } from './job.js';

export type JobOutcome = 'succeeded' | 'failed' | 'cancelled' | 'interrupted';

export interface JobConclusion {
  job: Readonly<Job>;
  log: () => readonly JobLogLine[];
  outcome: JobOutcome;
  /** Title of the step at which the job ended; null if it succeeded. */
  step: string | null;
  /** Sentences about what was undone. */
  undone: string[];
  reason: string | null;
  /** Whether an interrupted job had reached its goal, which then stays. */
  completed: boolean;
}

export interface OutcomeTexts {
  succeeded: string;
  /** Follows the message of an interrupted job that reached its goal after the restart. */
  completed?: string;
  /** Follows the message of a canceled or interrupted job that reports nothing itself. */
  unfinished?: string;
  /** Follows the message of a failed job that reports nothing itself. */
  failed?: string;
  /** Replaces the sentences about what was undone. */
  undone?: readonly string[];
}

export function describeOutcome(conclusion: JobConclusion, texts: OutcomeTexts): string {
  return sentencesOf(conclusion, texts).filter(Boolean).join(' ');
}

function sentencesOf(conclusion: JobConclusion, texts: OutcomeTexts): (string | undefined)[] {
  const { job, outcome, step, completed, reason } = conclusion;
  const undone = (texts.undone ?? conclusion.undone).join(' ');
  const place = placeOf(conclusion);
  if (outcome === 'succeeded') return [texts.succeeded, undone];
  if (outcome === 'failed' || job.error?.code === 'rollback_incomplete') {
    return [`Failed ${place}: ${asSentence((reason ?? 'unknown reason').trim())}`, undone || texts.failed];
  }
  const what = `${outcome === 'cancelled' ? 'Canceled' : 'Interrupted by a restart of Slipway'} ${place}.`;
  if (completed) return [what, texts.completed, undone];
  return [what, undone || (step === null ? 'Nothing was changed.' : texts.unfinished)];
}

/** `at Node image`, or `before it started` for a job that never left the queue. */
export function placeOf({ step }: JobConclusion): string {
  return step === null ? 'before it started' : `at ${step}`;
}
