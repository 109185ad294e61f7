import type { JobDto, JobKind } from '../../shared/api/api-types';
import { jobNow } from '../../shared/ui/job-labels';
import { STATE_STYLES } from '../../shared/ui/state-styles';

const CLOSING_KINDS: ReadonlySet<JobKind> = new Set<JobKind>(['start', 'stop', 'pause', 'unpause']);

/** Whether the screen closes at the end of the job, because it has nothing more to show. */
export function closesAtEnd({ kind, state, warnings }: JobDto): boolean {
  return CLOSING_KINDS.has(kind) && state === 'succeeded' && warnings.length === 0;
}

/** The line below the title: the present step or the outcome. A live region, so it has no running numbers. */
export function situation(job: JobDto): string {
  if (job.state === 'queued') return $localize`Waiting for another job to finish.`;
  // The message is shown with the error.
  return job.error ? STATE_STYLES[job.state].word : jobNow(job);
}
