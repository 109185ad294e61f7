import type { Actor } from '../../core/logging/index.js';
import type { JobDto, JobLogLineDto, JobState, JobStepDto } from './job.dto.js';

/** Used as the cluster name of a job that belongs to an engine. */
export const ENGINE_ITSELF = '';

export interface StoredStep extends JobStepDto {
  weight: number;
}

export type JobLogLine = JobLogLineDto;

export interface Job extends Omit<JobDto, 'progress_steps'> {
  /** Input of the handler, stored in the database. Must not contain secrets. */
  input: unknown;
  steps: StoredStep[];
  /** Who submitted the job; null for a job from a version that did not record it. */
  actor: Actor | null;
}

export function isActive(state: JobState): boolean {
  return state === 'queued' || state === 'running';
}
