import type { JobDto } from '../../../modules/jobs/index.js';
import { plainLine } from '../../../core/logging/redaction.js';
import { durationOf } from './times.js';

const BAR_WIDTH = 24;
const ERASE_TO_END = '\u001b[K';

type Shown = Pick<
  JobDto,
  'title' | 'state' | 'cancelling' | 'progress_percent' | 'progress_step' | 'seconds_left'
>;

/** The part of a stream that the progress needs. */
export interface ProgressStream {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

/** The progress of a job: one line that is rewritten on a terminal, a line for each step elsewhere. */
export class Progress {
  private shown = '';

  constructor(private readonly stream: ProgressStream) {}

  update(job: Shown): void {
    const step = plainLine(stepOf(job));
    const percent = `${Math.floor(job.progress_percent)} %`;
    if (this.stream.isTTY) {
      const filled = Math.floor((job.progress_percent / 100) * BAR_WIDTH);
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
      // A line that wraps could not be rewritten.
      const line = `${bar} ${percent.padStart(5)}  ${step}${leftOf(job)}`.slice(0, widthOf(this.stream) - 1);
      this.stream.write(`\r${line}${ERASE_TO_END}`);
      this.shown = line;
    } else if (step !== this.shown) {
      this.stream.write(`${percent.padStart(5)}  ${step}\n`);
      this.shown = step;
    }
  }

  /** Removes the line from a terminal, so that other text can follow. */
  clear(): void {
    if (this.stream.isTTY && this.shown !== '') this.stream.write(`\r${ERASE_TO_END}`);
    this.shown = '';
  }
}

/** The columns of a terminal. Some, such as that of `script`, report none. */
export function widthOf({ columns = 0 }: { columns?: number }): number {
  return columns > 0 ? columns : 80;
}

/** From earlier jobs on this host. */
function leftOf({ seconds_left: seconds }: Shown): string {
  return seconds === null ? '' : `, about ${durationOf(Math.ceil(seconds) * 1000)} left`;
}

function stepOf({ title, state, cancelling, progress_step }: Shown): string {
  if (cancelling) return `Canceling: ${progress_step ?? title}`;
  return state === 'queued' ? 'Waiting for other jobs' : (progress_step ?? title);
}
