import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Field, Optional } from '../../../core/api/index.js';
import { queryFlag } from '../../../core/api/query-flag.js';
import { NamespaceQueryDto } from '../resource-parameters.js';

export const CHANGE_OUTCOMES = ['created', 'configured', 'unchanged', 'failed'] as const;
export type ChangeOutcome = (typeof CHANGE_OUTCOMES)[number];

const PROPAGATIONS = ['background', 'foreground', 'orphan'] as const;
export type PropagationName = (typeof PROPAGATIONS)[number];

/** Ten times the maximum number of pods per node. */
const MAX_REPLICAS = 1000;
const MAX_GRACE_SECONDS = 3600;

function readSeconds({ value }: { value: unknown }): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

export class ChangeQueryDto extends NamespaceQueryDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'The cluster validates the change without storing it',
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;
}

export class RemoveQueryDto extends ChangeQueryDto {
  @ApiPropertyOptional({
    enum: PROPAGATIONS,
    default: 'background',
    description:
      'Owned objects are deleted after the object (`background`), before it (`foreground`), or keep existing (`orphan`)',
  })
  @Optional()
  @IsIn(PROPAGATIONS, { message: `must be ${PROPAGATIONS.join(', ')}` })
  propagation?: PropagationName;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    description: 'Seconds for a pod to terminate. Default: the setting of the pod; 0 kills it at once',
  })
  @Optional()
  @Transform(readSeconds)
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must not be negative' })
  @Max(MAX_GRACE_SECONDS, { message: `must be at most ${MAX_GRACE_SECONDS}` })
  grace_period_seconds?: number;
}

export class YamlDto {
  @ApiProperty({
    description: 'The whole object. Hidden values (`<hidden>`) keep their stored value',
    example:
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
  })
  @IsString({ message: 'must be text' })
  yaml!: string;
}

export class ScaleDto {
  @ApiProperty({ type: Number, minimum: 0, maximum: MAX_REPLICAS, example: 3 })
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must not be negative' })
  @Max(MAX_REPLICAS, { message: `must be at most ${MAX_REPLICAS}` })
  replicas!: number;
}

export class ResourceReferenceDto {
  @Field({ description: '`core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ type: String, nullable: true, description: 'Null for cluster-scoped kinds', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;
}

export class ReplacedResourceDto extends ResourceReferenceDto {
  @Field({ enum: ['configured', 'unchanged'] })
  outcome!: 'configured' | 'unchanged';

  @Field({
    description: 'YAML without fields that the server updates',
    example: 'kind: ConfigMap\ndata:\n  colour: red\n',
  })
  before!: string;

  @Field({
    description: 'YAML after the change',
    example: 'kind: ConfigMap\ndata:\n  colour: blue\n',
  })
  after!: string;

  @Field({ description: 'Current version of the object; unchanged by a dry run', example: '4711' })
  resource_version!: string;

  @Field({ isArray: true, type: String, description: 'Warnings from Slipway and the cluster' })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}

export class RemovedResourceDto extends ResourceReferenceDto {
  @Field({ description: 'Whether the object no longer exists' })
  gone!: boolean;

  @Field({
    description: 'Result, with the reason why the object still exists',
    example: 'Deletion requested. It is waiting for the finalizer kubernetes.io/pvc-protection.',
  })
  message!: string;

  @Field({ isArray: true, type: String })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}

/** Result of scale, restart, cordon and uncordon. */
export class ChangedResourceDto extends ResourceReferenceDto {
  @Field({ example: 'Scaled from 2 to 3 replicas.' })
  message!: string;

  @Field({
    isArray: true,
    type: String,
    description: 'Side effects, and what may revert the change',
    example: ['The autoscaler web sets between 2 and 10 replicas and may change the number.'],
  })
  warnings!: string[];
}

export class ScaledResourceDto extends ChangedResourceDto {
  @Field({ description: 'Desired replicas after the change', example: 3 })
  replicas!: number;

  @Field({ description: 'Desired replicas before the change', example: 2 })
  previous_replicas!: number;
}
