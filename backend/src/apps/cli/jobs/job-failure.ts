import type { JobDto } from '../../../modules/jobs/index.js';
import { CliError, EXIT } from '../cli-error.js';

/** The error of a job that has ended without success. @param hint how to read its log. */
export function jobFailure(job: JobDto, hint: string): CliError {
  const { state, error } = job;
  if (state === 'cancelled') return new CliError(`${titleOf(job)} was canceled and undone.`, EXIT.canceled);
  const output = error?.output ? `\n${error.output.trimEnd()}` : '';
  return new CliError(`${titleOf(job)} ${state}. ${error?.message ?? ''}${output}\n${hint}`);
}

export function titleOf({ id, kind, cluster }: JobDto): string {
  return `Job ${id} (${[kind, cluster].filter((word) => word !== '').join(' ')})`;
}
