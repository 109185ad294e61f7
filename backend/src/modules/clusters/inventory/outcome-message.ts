import { asSentence } from '../../../core/errors/index.js';
import { counted } from '../../../core/values/index.js';
import type { JobConclusion } from '../../jobs/index.js';

interface OutcomeTexts {
  succeeded: string;
  /** Follows the message of an interrupted job that reached its goal after the restart. */
  completed: string;
  /** Follows the message of a cancelled or interrupted job that reports nothing itself. */
  unfinished?: string;
}

export function describeOutcome(conclusion: JobConclusion, texts: OutcomeTexts): string {
  const { outcome, step, completed, undone, reason } = conclusion;
  if (outcome === 'succeeded') return [texts.succeeded, ...undone].join(' ');
  const place = placeOf(conclusion);
  if (outcome === 'failed') {
    return [`Failed ${place}: ${asSentence(reason ?? 'unknown reason')}`, ...undone].join(' ');
  }
  const unfinished = step === null ? 'Nothing was changed.' : (texts.unfinished ?? '');
  const remains = completed ? [texts.completed, ...undone].join(' ') : undone.join(' ') || unfinished;
  const what = outcome === 'cancelled' ? 'Cancelled' : 'Interrupted by a restart of Slipway';
  return `${what} ${place}. ${remains}`.trim();
}

/** `at Node image`, or `before it started` for a job that never left the queue. */
export function placeOf({ step }: JobConclusion): string {
  return step === null ? 'before it started' : `at ${step}`;
}

/** `2 containers and 1 volume`. Omits zero counts. */
export function countedParts(...parts: [count: number, noun: string][]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(' and ');
}
