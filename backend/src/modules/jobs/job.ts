import type { Actor } from '../../core/logging/index.js';

/** Kinds of jobs; each has one handler. */
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
/** Stands in the place of a cluster for a job that is of an engine as a whole. */
export const ENGINE_ITSELF = '';
export type JobKind = (typeof JOB_KINDS)[number];

export const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JobState = (typeof JOB_STATES)[number];

export const STEP_STATES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type StepState = (typeof STEP_STATES)[number];

/** One named part of a job. Times are RFC 3339 in UTC. */
export interface JobStep {
  name: string;
  title: string;
  state: StepState;
  started_at: string | null;
  finished_at: string | null;
  /** What it has to say: bytes pulled, nodes that are ready. */
  detail: string | null;
}

/** A step as it is kept: with its share of the whole, in seconds that it usually takes. */
export interface StoredStep extends JobStep {
  weight: number;
}

export interface JobError {
  code: string;
  /** What happened, why, and what to do. */
  message: string;
  /** The program that failed, as one would type it. */
  command: string | null;
  /** The end of its output. */
  output: string | null;
}

export const LOG_KINDS = ['step', 'done', 'note', 'command', 'output', 'warning', 'error', 'cut'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export interface JobLogLine {
  sequence: number;
  time: string;
  /** What sort of line it is: of the job itself, of a program's output, or the mark of a cut. */
  kind: LogKind;
  text: string;
}

/** A job as it is kept. */
export interface Job {
  id: number;
  kind: JobKind;
  runtime: string;
  cluster: string;
  state: JobState;
  /** What the handler needs, also after a restart. Never a secret. */
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
  /** Who submitted it; null for a job of a version that did not record it. */
  actor: Actor | null;
  /** Whether it was asked to stop and is winding down. Not kept: a restart interrupts it anyway. */
  cancelling: boolean;
}

export function isActive(state: JobState): boolean {
  return state === 'queued' || state === 'running';
}
