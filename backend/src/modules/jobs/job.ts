import type { Actor } from '../../core/logging/index.js';
import type { JobDto, JobKind, JobLogLineDto, JobState, JobStepDto } from './job.dto.js';

/** Used as the cluster name of a job that belongs to an engine. */
export const ENGINE_ITSELF = '';

export interface StoredStep extends JobStepDto {
  /** Expected seconds. */
  weight: number;
  /** The weight of the plan, which tells the size of the step. Missing in jobs of earlier versions. */
  planned?: number;
  /** How long it ran, by a monotonic clock. Missing until its end, after a crash, and in jobs of earlier versions. */
  seconds?: number;
  /** Whether the weight comes from earlier runs on this host. */
  learned?: boolean;
}

export type JobLogLine = JobLogLineDto;

export interface Job extends Omit<JobDto, 'progress_steps' | 'watched_until'> {
  /** Input of the handler, stored in the database. Must not contain secrets. */
  input: unknown;
  steps: StoredStep[];
  /** Who submitted the job; null for a job from a version that did not record it. */
  actor: Actor | null;
}

/** Kinds whose result is watched after their end. */
const WATCHED_KINDS: readonly JobKind[] = [
  'create',
  'clone',
  'recreate',
  'addon-install',
  'addon-upgrade',
  'addon-rollback',
];
const WATCH_MS = 30_000;

/** Until when the workloads of a job are watched; null if they are not. RFC 3339. */
export function watchedUntil({
  kind,
  state,
  finished_at,
}: Pick<Job, 'kind' | 'state' | 'finished_at'>): string | null {
  if (state !== 'succeeded' || finished_at === null || !WATCHED_KINDS.includes(kind)) return null;
  return new Date(Date.parse(finished_at) + WATCH_MS).toISOString();
}

export function isActive(state: JobState): boolean {
  return state === 'queued' || state === 'running';
}
