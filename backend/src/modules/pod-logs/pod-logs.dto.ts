import { Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  QueryFlag,
  QueryInteger,
  RuntimeQueryDto,
  Text,
} from '../../core/api/index.js';
import type { ErrorCode } from '../../core/errors/index.js';
import { NAMESPACE_NAME } from '../../core/security/index.js';
import { WrittenLineDto } from '../log-lines/index.js';

const MAX_LINES = 10_000;
const ROLES = ['init', 'sidecar', 'main', 'ephemeral'] as const;

export class PodLogQueryDto extends RuntimeQueryDto {
  // Container names and namespaces are DNS labels.
  @Text({ description: 'Name of a container of the pod', example: 'web' })
  @Matches(NAMESPACE_NAME, { message: 'must be a container name' })
  container!: string;

  @QueryFlag({ description: 'Read the previous instance, such as one that crashed' })
  previous: boolean = false;

  @QueryFlag({ description: 'Keep the response open and send new lines' })
  follow: boolean = false;

  @QueryInteger({
    description: 'Number of newest lines to start with',
    minimum: 0,
    maximum: MAX_LINES,
    default: 1000,
  })
  tail: number = 1000;
}

export class WorkloadLogQueryDto extends RuntimeQueryDto {
  @Text({
    description:
      'Kind and name of the workload, or of several, comma-separated, such as a CronJob and its Jobs',
    example: 'Deployment/web',
    maxLength: 10_000,
  })
  @Matches(
    /^[A-Za-z]{1,63}\/[a-z0-9][a-z0-9.-]{0,252}(?:,[A-Za-z]{1,63}\/[a-z0-9][a-z0-9.-]{0,252}){0,50}$/,
    {
      message: 'must be Kind/name, such as Deployment/web',
    },
  )
  workload!: string;

  @QueryInteger({
    description: 'Number of newest lines of each container to start with',
    minimum: 0,
    maximum: 1000,
    default: 200,
  })
  tail: number = 200;
}

export class PodContainerDto {
  @Field({ example: 'web' })
  name!: string;

  @Field({ type: String, enum: ROLES, description: 'Init containers run before the others', example: 'main' })
  role!: (typeof ROLES)[number];

  @Field({ description: 'Whether the container is running' })
  running!: boolean;

  @NullableField(String, { description: 'Why the container is not running', example: 'ImagePullBackOff' })
  waiting!: string | null;

  @Field({ description: 'Number of restarts; a previous instance exists if it is 1 or more', example: 0 })
  restarts!: number;

  @NullableField(String, { example: '2026-11-21T09:37:02Z' })
  started_at!: string | null;
}

export class PodContainersDto {
  @NestedField(() => PodContainerDto, { isArray: true, description: 'In start order' })
  containers!: PodContainerDto[];
}

export class PodLineDto extends WrittenLineDto {}

/** A container in the merged log of a workload. */
export interface WorkloadLogSource {
  /** The number by which its lines name it. */
  source: number;
  pod: string;
  container: string;
  /** Whether its Pod has other containers whose logs are read. */
  shared: boolean;
  /** Why it does not run; null if it runs or has succeeded. */
  waiting: string | null;
  /** Whether its Pod was deleted. */
  gone: boolean;
  /** Why its log could not be read to its end. */
  problem: string | null;
}

/**
 * Events of a log stream: the number of omitted older lines, if any; the lines; then the end or an error. The log of a
 * workload also reports how many Pods there are, and each container, whenever this changes.
 */
export type PodLogEvent =
  | { type: 'pods'; count: number; followed: number }
  | ({ type: 'source' } & WorkloadLogSource)
  | { type: 'left_out'; lines: number }
  | { type: 'line'; source?: number; line: PodLineDto }
  | { type: 'end' }
  | { type: 'error'; code: ErrorCode; message: string };
