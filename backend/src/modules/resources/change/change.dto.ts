import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import { Field, Optional } from '../../../core/api/index.js';
import { queryFlag } from '../../../core/api/query-flag.js';
import { NamespaceQueryDto } from '../resource-parameters.js';

/** What became of an object that was sent. */
export const CHANGE_OUTCOMES = ['created', 'configured', 'unchanged', 'failed'] as const;
export type ChangeOutcome = (typeof CHANGE_OUTCOMES)[number];

export const PROPAGATIONS = ['background', 'foreground', 'orphan'] as const;
export type PropagationName = (typeof PROPAGATIONS)[number];

/** Most replicas that one asks for here: ten times the pods that a node takes. */
const MAX_REPLICAS = 1000;
/** An hour; no cluster's own default is longer than half a minute. */
const MAX_GRACE_SECONDS = 3600;

function readSeconds({ value }: { value: unknown }): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

export class ChangeQueryDto extends NamespaceQueryDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Everything is checked by the cluster, and nothing is kept',
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
      'What becomes of the objects that it owns: removed after it, removed before it, or left without an owner',
  })
  @Optional()
  @IsIn(PROPAGATIONS, { message: `must be ${PROPAGATIONS.join(', ')}` })
  propagation?: PropagationName;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    description: 'Seconds that a pod has to end; its own where nothing is said, 0 for at once',
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
    description: 'The whole object. Values that are hidden in it stay as they are stored',
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

/** Names one object in answers. */
export class ResourceReferenceDto {
  @Field({ description: '`core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ type: String, nullable: true, description: 'Null for kinds without namespaces', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;
}

/** What an edit changes, or would change. */
export class ReplacedResourceDto extends ResourceReferenceDto {
  @Field({ enum: ['configured', 'unchanged'] })
  outcome!: 'configured' | 'unchanged';

  @Field({
    description: 'YAML, without what the cluster itself keeps count of',
    example: 'kind: ConfigMap\ndata:\n  colour: red\n',
  })
  before!: string;

  @Field({
    description: 'YAML as the cluster has it now, or would have it',
    example: 'kind: ConfigMap\ndata:\n  colour: blue\n',
  })
  after!: string;

  @Field({ description: 'Of the object as it is now; a dry run does not change it', example: '4711' })
  resource_version!: string;

  @Field({ isArray: true, type: String, description: 'What the cluster warns of' })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}

export class RemovedResourceDto extends ResourceReferenceDto {
  @Field({ description: 'Whether it is gone already' })
  gone!: boolean;

  @Field({
    description: 'What was done, and what it waits for',
    example: 'Asked to go; it waits for its finalizer kubernetes.io/pvc-protection.',
  })
  message!: string;

  @Field({ isArray: true, type: String })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}

/** Of scaling, restarting, cordoning and uncordoning. */
export class ChangedResourceDto extends ResourceReferenceDto {
  @Field({ example: 'Scaled from 2 to 3 replicas.' })
  message!: string;

  @Field({
    isArray: true,
    type: String,
    description: 'What may undo it, or what it does beside',
    example: ['The autoscaler web keeps it between 2 and 10 replicas and may set it back.'],
  })
  warnings!: string[];
}

export class ScaledResourceDto extends ChangedResourceDto {
  @Field({ description: 'Wanted now', example: 3 })
  replicas!: number;

  @Field({ description: 'Wanted before', example: 2 })
  previous_replicas!: number;
}
