import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { Field, NestedField, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { queryFlag } from '../../core/api/query-flag.js';
import { queryInteger } from '../../core/api/query-integer.js';
import type { ErrorCode } from '../../core/errors/index.js';
import { NAMESPACE_NAME } from '../../core/security/index.js';
import { WrittenLineDto } from '../log-lines/index.js';

const MOST_LINES = 10_000;
const ROLES = ['init', 'sidecar', 'main', 'ephemeral'] as const;

/** Which log of a pod, and how much of it. */
export class PodLogQueryDto extends RuntimeQueryDto {
  // A container is named as a namespace is: a DNS label.
  @ApiProperty({ description: 'One of the pod’s containers', example: 'web' })
  @IsString({ message: 'must be given once, as text' })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a container' })
  container!: string;

  @ApiPropertyOptional({
    description: 'The instance before the one that runs, such as one that crashed',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  previous: boolean = false;

  @ApiPropertyOptional({
    description: 'Whether the answer goes on as long as the container writes',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  follow: boolean = false;

  @ApiPropertyOptional({ description: 'So many of the newest lines', default: 1000, maximum: MOST_LINES })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MOST_LINES, { message: `must be at most ${MOST_LINES.toLocaleString('en')}` })
  tail: number = 1000;
}

export class PodContainerDto {
  @Field({ example: 'web' })
  name!: string;

  @Field({ type: String, enum: ROLES, description: 'Init containers run before the others', example: 'main' })
  role!: (typeof ROLES)[number];

  @Field({ description: 'Whether it writes now' })
  running!: boolean;

  @Field({ type: String, nullable: true, description: 'Why it does not run', example: 'ImagePullBackOff' })
  waiting!: string | null;

  @Field({ description: 'With one or more there is an instance before', example: 0 })
  restarts!: number;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:37:02Z' })
  started_at!: string | null;
}

export class PodContainersDto {
  @NestedField(() => PodContainerDto, { isArray: true, description: 'In the order in which they begin' })
  containers!: PodContainerDto[];
}

/** A line of a pod's log, as it was just read. */
export class PodLineDto extends WrittenLineDto {}

/** What a pod's log is told as: how many older lines are left out, where any are, many lines, then how it ended. */
export type PodLogEvent =
  | { type: 'left_out'; lines: number }
  | { type: 'line'; line: PodLineDto }
  | { type: 'end' }
  | { type: 'error'; code: ErrorCode; message: string };
