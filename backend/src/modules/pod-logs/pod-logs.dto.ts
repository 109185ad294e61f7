import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { Field, NestedField, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { queryFlag } from '../../core/api/query-flag.js';
import { queryInteger } from '../../core/api/query-integer.js';
import type { ErrorCode } from '../../core/errors/index.js';
import { NAMESPACE_NAME } from '../../core/security/index.js';
import { WrittenLineDto } from '../log-lines/index.js';

const MAX_LINES = 10_000;
const ROLES = ['init', 'sidecar', 'main', 'ephemeral'] as const;

/** Which log of a pod to read, and how many lines. */
export class PodLogQueryDto extends RuntimeQueryDto {
  // Container names and namespaces are DNS labels.
  @ApiProperty({ description: 'Name of a container of the pod', example: 'web' })
  @IsString({ message: 'must be given once, as text' })
  @Matches(NAMESPACE_NAME, { message: 'must be a container name' })
  container!: string;

  @ApiPropertyOptional({
    description: 'Read the previous instance, such as one that crashed',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  previous: boolean = false;

  @ApiPropertyOptional({
    description: 'Keep the response open and send new lines',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  follow: boolean = false;

  @ApiPropertyOptional({
    description: 'Number of newest lines to start with',
    default: 1000,
    maximum: MAX_LINES,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must be 0 or more' })
  @Max(MAX_LINES, { message: `must be at most ${MAX_LINES.toLocaleString('en')}` })
  tail: number = 1000;
}

export class PodContainerDto {
  @Field({ example: 'web' })
  name!: string;

  @Field({ type: String, enum: ROLES, description: 'Init containers run before the others', example: 'main' })
  role!: (typeof ROLES)[number];

  @Field({ description: 'Whether the container is running' })
  running!: boolean;

  @Field({
    type: String,
    nullable: true,
    description: 'Why the container is not running',
    example: 'ImagePullBackOff',
  })
  waiting!: string | null;

  @Field({ description: 'Number of restarts; a previous instance exists if it is 1 or more', example: 0 })
  restarts!: number;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:37:02Z' })
  started_at!: string | null;
}

export class PodContainersDto {
  @NestedField(() => PodContainerDto, { isArray: true, description: 'In start order' })
  containers!: PodContainerDto[];
}

/** A line of a pod's log. */
export class PodLineDto extends WrittenLineDto {}

/** Events of a log stream: the number of omitted older lines, if any; the lines; then the end or an error. */
export type PodLogEvent =
  | { type: 'left_out'; lines: number }
  | { type: 'line'; line: PodLineDto }
  | { type: 'end' }
  | { type: 'error'; code: ErrorCode; message: string };
