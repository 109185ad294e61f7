import type { JobDto, JobStepDto } from '../../shared/api/api-types';
import { formatDuration, formatElapsed } from '../../shared/format/format';

/** Duration of a job or a creation so far; null before it starts. */
export function jobMilliseconds(
  { started_at, finished_at }: Pick<JobDto, 'started_at' | 'finished_at'>,
  now: number,
): number | null {
  if (started_at === null) return null;
  return Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(started_at));
}

/** Duration of a job or a step: `4.3 s` once it has ended, whole seconds while it runs, empty before it starts. */
export function formatJobTime(part: JobDto | JobStepDto, now: number): string {
  const milliseconds = jobMilliseconds(part, now);
  if (milliseconds === null) return '';
  return part.finished_at === null ? formatElapsed(milliseconds) : formatDuration(milliseconds);
}
