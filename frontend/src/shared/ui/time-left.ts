import type { JobDto } from '../api/api-types';
import { formatElapsed } from '../format/format';

/** `about 14 s left`, from earlier jobs on this host; empty if unknown. */
export function timeLeft({ seconds_left: seconds }: Pick<JobDto, 'seconds_left'>): string {
  if (seconds === null) return '';
  if (seconds < 1) return $localize`almost done`;
  return $localize`about ${formatElapsed(Math.ceil(seconds) * 1000)}:duration: left`;
}
