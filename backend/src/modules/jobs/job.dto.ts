import { Field, NestedField, NullableField, QueryInteger } from '../../core/api/index.js';

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
export type JobKind = (typeof JOB_KINDS)[number];

const JOB_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JobState = (typeof JOB_STATES)[number];

const STEP_STATES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type StepState = (typeof STEP_STATES)[number];

const LOG_KINDS = ['step', 'done', 'note', 'command', 'output', 'warning', 'error', 'cut'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export class JobStepDto {
  @Field({ example: 'starting-control-plane' })
  name!: string;

  @Field({ example: 'Starting control-plane' })
  title!: string;

  @Field({ enum: STEP_STATES, enumName: 'StepState' })
  state!: StepState;

  @NullableField(String, { example: '2026-11-21T09:40:56.804Z' })
  started_at!: string | null;

  @NullableField(String, { example: null })
  finished_at!: string | null;

  @NullableField(String, { description: 'Details of the step', example: '2 of 4 nodes are ready' })
  detail!: string | null;
}

export class JobErrorDto {
  @Field({ example: 'command_failed' })
  code!: string;

  @Field({
    description: 'What happened, why, and what to do',
    example: 'kind failed with exit status 1: failed to join node.',
  })
  message!: string;

  @NullableField(String, {
    description: 'Command line of the failed program',
    example: 'kind create cluster --name=staging',
  })
  command!: string | null;

  @NullableField(String, { description: 'End of the output', example: 'ERROR: failed to create cluster' })
  output!: string | null;
}

/** A workload, or another object, that does not work. */
export class BrokenObjectDto {
  @Field({ description: '`core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @NullableField(String, { description: 'Null for cluster-scoped kinds', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'mailer' })
  name!: string;

  @Field({
    format: 'date-time',
    description: 'Since when it does not work, as far as the cluster reports it',
    example: '2026-11-21T09:26:44Z',
  })
  since!: string;

  @Field({ description: 'One sentence', example: 'Container mailer exited with code 1, after 4 restarts.' })
  message!: string;

  @Field({ description: 'What to do', example: 'Read the last lines of its log.' })
  next_step!: string;
}

/** A workload that does not work after a job. */
export class JobProblemDto extends BrokenObjectDto {
  @Field({ description: 'Code of the cause', example: 'crash' })
  code!: string;
}

export class JobDto {
  @Field({ example: 12 })
  id!: number;

  @Field({ enum: JOB_KINDS, enumName: 'JobKind' })
  kind!: JobKind;

  @Field({ description: 'Empty for a job of an engine', example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ example: 'Create staging' })
  title!: string;

  @NullableField(String, {
    description: 'Outcome of the job; null until it ends',
    example: 'Failed at Joining worker nodes: kind failed. Removed 2 containers and 2 volumes.',
  })
  message!: string | null;

  @Field({ enum: JOB_STATES, enumName: 'JobState' })
  state!: JobState;

  @Field({ description: 'Whether the job was cancelled and is still being undone' })
  cancelling!: boolean;

  @Field({ description: 'Progress from 0 to 100. Only a successful job reaches 100', example: 62.1 })
  progress_percent!: number;

  @NullableField(Number, {
    description:
      'Expected seconds until the end, from earlier jobs on this host. Null without such jobs, and unless the job runs',
    example: 14.2,
  })
  seconds_left!: number | null;

  @NullableField(String, {
    description: 'Title of the current or last step',
    example: 'Starting control-plane',
  })
  progress_step!: string | null;

  @NestedField(() => JobStepDto, { isArray: true })
  progress_steps!: JobStepDto[];

  @Field({ example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @Field({ type: [String], description: 'Problems that did not stop the job' })
  warnings!: string[];

  @NestedField(() => JobProblemDto, {
    isArray: true,
    description: 'What it installed or created and does not work. Changes until `watched_until`',
  })
  problems!: JobProblemDto[];

  @NullableField(String, {
    format: 'date-time',
    description:
      'Until when Slipway watches what a successful installation, upgrade or creation has left; null for other jobs',
    example: '2026-11-21T09:41:51.102Z',
  })
  watched_until!: string | null;

  @NestedField(() => JobErrorDto, { nullable: true })
  error!: JobErrorDto | null;

  @Field({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Result of the job. Its fields depend on the kind',
  })
  result!: Record<string, unknown> | null;
}

export class JobLogLineDto {
  @Field({
    description: 'Increases with each line. Use the last one as `log_after` of the next poll',
    example: 17,
  })
  sequence!: number;

  @Field({ example: '2026-11-21T09:40:56.804Z' })
  time!: string;

  @Field({
    enum: LOG_KINDS,
    enumName: 'LogKind',
    description: '`cut` replaces lines that were left out of a long log',
  })
  kind!: LogKind;

  @Field({ example: 'Starting control-plane' })
  text!: string;
}

export class JobWithLogDto extends JobDto {
  // Unchanged, because the serializer takes half a second for 10,000 lines.
  @Field({
    type: () => [JobLogLineDto],
    description: 'At most 10,000 lines or 2 MB. The middle of a longer log is omitted',
  })
  progress_log!: JobLogLineDto[];
}

export class JobLogQueryDto {
  @QueryInteger({ description: 'Only log lines after this sequence', minimum: 0, default: 0 })
  log_after: number = 0;
}

export class CancellationDto {
  @Field({ example: 12 })
  id!: number;

  @Field({ enum: JOB_STATES, enumName: 'JobState' })
  state!: JobState;

  @Field({ description: 'Whether the job was cancelled. It ends once it has been undone' })
  cancelled!: boolean;
}

export class ClearedJobsDto {
  @Field({ description: 'How many finished jobs were removed', example: 22 })
  cleared!: number;
}

/** Response of every operation that starts a job. */
export class JobReferenceDto {
  @Field({ example: 12 })
  job_id!: number;

  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ description: 'URL of the job', example: '/api/v1/jobs/12' })
  status_url!: string;
}
