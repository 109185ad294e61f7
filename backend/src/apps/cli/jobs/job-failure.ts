import type { JobDto } from '../../../modules/jobs/index.js';
import { CliError, EXIT } from '../cli-error.js';

/** The error of a job that has ended without success. @param hint how to read its log. */
export function jobFailure(job: JobDto, hint: string): CliError {
  const { id, title, message, state, error } = job;
  const end = `Job ${id} (${title}): ${message ?? state}`;
  if (state === 'cancelled') return new CliError(end, EXIT.canceled);
  const output = error?.output ? `\n${error.output.trimEnd()}` : '';
  return new CliError(`${end}${output}\n${hint}`);
}
