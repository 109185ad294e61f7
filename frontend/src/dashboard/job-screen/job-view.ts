import type { JobDto, JobKind } from '../../shared/api/api-types';
import { asSentence } from '../../shared/format/format';
import { cancelingStep, JOB_LABELS, jobSubject } from '../../shared/ui/job-labels';

export function headline(job: JobDto): string {
  const { kind, state, cancelling } = job;
  const subject = jobSubject(job);
  const { doing, done, failed } = JOB_LABELS[kind];
  switch (state) {
    case 'queued':
      return $localize`${doing}:action: ${subject}:cluster:: queued`;
    case 'running':
      return cancelling ? $localize`Canceling: ${doing}:action: ${subject}:cluster:` : `${doing} ${subject}`;
    case 'succeeded':
      return `${subject} ${done}`;
    case 'failed':
      return `${subject} ${failed}`;
    case 'cancelled':
      return $localize`${doing}:action: ${subject}:cluster: was canceled`;
    case 'interrupted':
      return $localize`${doing}:action: ${subject}:cluster: was interrupted`;
  }
}

const CLOSING_KINDS: ReadonlySet<JobKind> = new Set<JobKind>(['start', 'stop', 'pause', 'unpause']);

/** Whether the screen closes at the end of the job, because it has nothing more to show. */
export function closesAtEnd({ kind, state, warnings }: JobDto): boolean {
  return CLOSING_KINDS.has(kind) && state === 'succeeded' && warnings.length === 0;
}

/** The line below the title: the present step or the result. A live region, so it has no running numbers. */
export function situation({
  kind,
  state,
  cancelling,
  progress_steps,
  progress_step,
  warnings,
  error,
}: JobDto): string {
  switch (state) {
    case 'queued':
      return $localize`Waiting for another job to finish.`;
    case 'running':
      if (cancelling) return asSentence(cancelingStep(kind));
      return (
        progress_steps.find((step) => step.state === 'running')?.title ?? progress_step ?? $localize`Starting`
      );
    case 'succeeded':
      return JOB_LABELS[kind].outcome;
    case 'cancelled':
      return warnings.length > 0 || error
        ? $localize`Some created resources could not be removed. See below.`
        : JOB_LABELS[kind].onceCancelled;
    case 'interrupted':
      return $localize`Slipway stopped during the job. It removed the created resources at its next start.`;
    case 'failed': {
      const failed = progress_steps.find((step) => step.state === 'failed');
      return failed ? $localize`Failed step: ${failed.title}:step:.` : $localize`The job failed.`;
    }
  }
}
