import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Field, Integer, Optional, QueryFlag, QueryInteger, Text } from '../../../core/api/index.js';
import { NamespaceQueryDto, ResourceReferenceDto } from '../../resources/index.js';

export const CHANGE_OUTCOMES = ['created', 'configured', 'unchanged', 'failed'] as const;
export type ChangeOutcome = (typeof CHANGE_OUTCOMES)[number];

const PROPAGATIONS = ['background', 'foreground', 'orphan'] as const;
export type PropagationName = (typeof PROPAGATIONS)[number];

/** Ten times the maximum number of pods per node. */
export const MAX_REPLICAS = 1000;
const MAX_GRACE_SECONDS = 3600;

export class ChangeQueryDto extends NamespaceQueryDto {
  @QueryFlag({ description: 'The cluster validates the change without storing it' })
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

  @QueryInteger({
    description: 'Seconds for a pod to terminate. Default: the setting of the pod; 0 kills it immediately',
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
  })
  grace_period_seconds?: number;
}

export class YamlDto {
  @Text({
    description: 'The whole object. Hidden values (`<hidden>`) keep their stored value',
    example:
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  colour: blue\n',
  })
  yaml!: string;
}

export class ScaleDto {
  @Integer({ minimum: 0, maximum: MAX_REPLICAS, example: 3 })
  replicas!: number;
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

  @Field({ type: [String], description: 'Warnings from Slipway and the cluster' })
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

  @Field({ type: [String] })
  warnings!: string[];

  @Field()
  dry_run!: boolean;
}

export class ChangedResourceDto extends ResourceReferenceDto {
  @Field({ example: 'Scaled from 2 to 3 replicas.' })
  message!: string;

  @Field({
    type: [String],
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
