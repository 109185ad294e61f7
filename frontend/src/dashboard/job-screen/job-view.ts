import type { JobDto, JobKind, JobStepDto } from '../../shared/api/api-types';
import { asSentence, formatDuration, formatElapsed } from '../../shared/format/format';
import { JOB_LABELS, jobSubject } from '../../shared/ui/job-labels';

/** How long the job takes so far, or took. */
export function elapsedMs({ created_at, started_at, finished_at }: JobDto, now: number): number {
  const end = finished_at === null ? now : Date.parse(finished_at);
  return Math.max(0, end - Date.parse(started_at ?? created_at));
}

/** `4.3 s` of a step that ended, whole seconds of one at work, nothing of one not begun. */
export function stepTime({ started_at, finished_at }: JobStepDto, now: number): string {
  if (started_at === null) return '';
  if (finished_at !== null) return formatDuration(Date.parse(finished_at) - Date.parse(started_at));
  return formatElapsed(now - Date.parse(started_at));
}

/** The headline of the screen. */
export function headline(job: JobDto): string {
  const { kind, state, cancelling } = job;
  const subject = jobSubject(job);
  const { doing, done, failed } = JOB_LABELS[kind];
  switch (state) {
    case 'queued':
      return `${doing} ${subject}: waiting its turn`;
    case 'running':
      return cancelling ? `Cancelling: ${subject} is being taken back` : `${doing} ${subject}`;
    case 'succeeded':
      return `${subject} ${done}`;
    case 'failed':
      return `${subject} ${failed}`;
    case 'cancelled':
      return `${doing} ${subject} was cancelled`;
    case 'interrupted':
      return `${doing} ${subject} was interrupted`;
  }
}

/** Kinds that leave nothing to look at once they went well: what was asked for is what the page then shows. */
const LEAVES: ReadonlySet<JobKind> = new Set<JobKind>(['start', 'stop', 'pause', 'unpause']);

/** Whether the screen goes with the end of the job: nothing is left to read or to do. */
export function leavesAtItsEnd({ kind, state, warnings }: JobDto): boolean {
  return LEAVES.has(kind) && state === 'succeeded' && warnings.length === 0;
}

/** The line below it: what is going on now, or how it ended. Read aloud when it changes, so without figures that tick. */
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
      return 'Another job has to end first.';
    case 'running':
      if (cancelling) return asSentence(JOB_LABELS[kind].whileCancelled);
      return progress_steps.find((step) => step.state === 'running')?.title ?? progress_step ?? 'Beginning';
    case 'succeeded':
      return JOB_LABELS[kind].outcome;
    case 'cancelled':
      return warnings.length > 0 || error
        ? 'Not all that the job made could be removed: see below.'
        : JOB_LABELS[kind].onceCancelled;
    case 'interrupted':
      return 'Slipway ended while the job ran. What the job had made was cleared up at the next start.';
    case 'failed': {
      const failed = progress_steps.find((step) => step.state === 'failed');
      return failed ? `It failed at: ${failed.title}.` : 'It failed.';
    }
  }
}
