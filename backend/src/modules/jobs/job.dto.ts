import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Min } from 'class-validator';
import { Field, NestedField, OpenField, Optional } from '../../core/api/index.js';
import { queryInteger } from '../../core/api/query-integer.js';
import {
  JOB_KINDS,
  JOB_STATES,
  LOG_KINDS,
  STEP_STATES,
  type JobKind,
  type JobState,
  type LogKind,
  type StepState,
} from './job.js';

export class JobStepDto {
  @Field({ example: 'starting-control-plane' })
  name!: string;

  @Field({ example: 'Starting control-plane' })
  title!: string;

  @Field({ enum: STEP_STATES, enumName: 'StepState' })
  state!: StepState;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:56.804Z' })
  started_at!: string | null;

  @Field({ type: String, nullable: true, example: null })
  finished_at!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'What the step has to say',
    example: '2 of 4 nodes are ready',
  })
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

  @Field({
    type: String,
    nullable: true,
    description: 'The program that failed, as one would type it',
    example: 'kind create cluster --name=staging',
  })
  command!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'The end of its output',
    example: 'ERROR: failed to create cluster',
  })
  output!: string | null;
}

export class JobDto {
  @Field({ example: 12 })
  id!: number;

  @Field({ enum: JOB_KINDS, enumName: 'JobKind' })
  kind!: JobKind;

  @Field({ description: 'Empty for a job that is of an engine as a whole', example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ enum: JOB_STATES, enumName: 'JobState' })
  state!: JobState;

  @Field({ description: 'Whether it was asked to stop and is winding down' })
  cancelling!: boolean;

  @Field({ description: 'True share of the whole, 0 to 100; 100 comes with success alone', example: 62.1 })
  progress_percent!: number;

  @Field({
    type: String,
    nullable: true,
    description: 'Title of the current step, or of the last',
    example: 'Starting control-plane',
  })
  progress_step!: string | null;

  @NestedField(() => JobStepDto, { isArray: true })
  progress_steps!: JobStepDto[];

  @Field({ example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @Field({ type: [String], description: 'What deserves a look although it did not stop the job' })
  warnings!: string[];

  @NestedField(() => JobErrorDto, { nullable: true })
  error!: JobErrorDto | null;

  @OpenField({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'What the job brought about; its fields depend on the kind',
  })
  result!: Record<string, unknown> | null;
}

export class JobLogLineDto {
  @Field({ description: 'Rises by line; the next poll may ask for what came after', example: 17 })
  sequence!: number;

  @Field({ example: '2026-11-21T09:40:56.804Z' })
  time!: string;

  @Field({
    enum: LOG_KINDS,
    enumName: 'LogKind',
    description: '`cut` marks lines that were left out of a long log',
  })
  kind!: LogKind;

  @Field({ example: 'Starting control-plane' })
  text!: string;
}

export class JobWithLogDto extends JobDto {
  @NestedField(() => JobLogLineDto, {
    isArray: true,
    description: 'At most 10,000 lines or 2 MB: the middle of a longer log is cut',
  })
  progress_log!: JobLogLineDto[];
}

export class JobLogQueryDto {
  @ApiPropertyOptional({
    description: 'Only log lines after this sequence',
    minimum: 0,
    default: 0,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must not be negative' })
  log_after: number = 0;
}

export class CancellationDto {
  @Field({ example: 12 })
  id!: number;

  @Field({ enum: JOB_STATES, enumName: 'JobState' })
  state!: JobState;

  @Field({
    description: 'Whether the job was asked to stop; it ends once everything that it made is removed',
  })
  cancelled!: boolean;
}

export class ClearedJobsDto {
  @Field({ description: 'How many finished jobs were removed', example: 22 })
  cleared!: number;
}

/** The answer of every operation that takes long. */
export class JobReferenceDto {
  @Field({ example: 12 })
  job_id!: number;

  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ description: 'Where to ask how it goes', example: '/api/v1/jobs/12' })
  status_url!: string;
}
