import type { Actor } from '../../core/logging/index.js';

/** Each kind has one handler. */
export const JOB_KINDS = [
  'create',
  'delete',
  'recreate',
  'start',
  'stop',
  'pause',
  'unpause',
  'load-images',
  'clone',
  'prune',
  'drain',
  'addon-install',
  'addon-upgrade',
  'addon-rollback',
  'addon-uninstall',
] as const;
/** Used as the cluster name of a job that belongs to an engine. */
export const ENGINE_ITSELF = '';
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const STEP_STATES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** Times are RFC 3339 in UTC. */
interface JobStep {
  name: string;
  title: string;
  state: StepState;
  started_at: string | null;
  finished_at: string | null;
  /** Progress details, such as pulled bytes or ready nodes. */
  detail: string | null;
}

export interface StoredStep extends JobStep {
  /** Typical duration in seconds. */
  weight: number;
}

export interface JobError {
  code: string;
  /** What happened, why, and what to do. */
  message: string;
  /** Command line of the failed program. */
  command: string | null;
  /** The end of its output. */
  output: string | null;
}

export const LOG_KINDS = ['step', 'done', 'note', 'command', 'output', 'warning', 'error', 'cut'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export interface JobLogLine {
  sequence: number;
  time: string;
  kind: LogKind;
  text: string;
}

export interface Job {
  id: number;
  kind: JobKind;
  runtime: string;
  cluster: string;
  state: JobState;
  /** Input of the handler, stored in the database. Must not contain secrets. */
  input: unknown;
  steps: StoredStep[];
  progress_percent: number;
  progress_step: string | null;
  warnings: string[];
  error: JobError | null;
  result: Record<string, unknown> | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** Who submitted the job; null for a job from a version that did not record it. */
  actor: Actor | null;
  /** Whether the job was cancelled and is still being undone. Not stored: a restart interrupts the job. */
  cancelling: boolean;
}

export function isActive(state: JobState): boolean {
  return state === 'queued' || state === 'running';
}
