import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, Matches } from 'class-validator';
import { Field, Flag, NestedField, NullableField, Optional, OptionalText } from '../../../core/api/index.js';
import { FIX_CODES, type FixCode } from '../../diagnosis/index.js';
import { JobReferenceDto } from '../../jobs/index.js';
import { ResourceReferenceDto } from '../../resources/index.js';

const FIX_OUTCOMES = ['created', 'configured', 'unchanged', 'deleted', 'started'] as const;
/** Of a container. */
const CONTAINER_NAME = /^(?!.{64})[a-z0-9]+(-+[a-z0-9]+)*$/;

export class FixRequestDto {
  @ApiProperty({ enum: FIX_CODES, enumName: 'FixCode', example: 'raise_memory_limit' })
  @IsIn(FIX_CODES, { message: `must be one of ${FIX_CODES.join(', ')}` })
  fix!: FixCode;

  @OptionalText({
    description: 'Container of the cause. Required only if several containers have the fix',
    example: 'mailer',
  })
  @Matches(CONTAINER_NAME, { message: 'must be a valid container name' })
  container?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of the parameters of the fix. Others keep their default',
    example: { memory: '256Mi' },
  })
  @Optional()
  @IsObject({ message: 'must be an object with the values of parameters' })
  parameters?: Record<string, string>;

  @Flag({ description: 'Returns the diff without changing anything' })
  dry_run?: boolean;
}

export class FixedDto {
  @Field({ enum: FIX_CODES, enumName: 'FixCode' })
  fix!: FixCode;

  @Field({ enum: FIX_OUTCOMES, description: '`started`: a job does it', example: 'configured' })
  outcome!: (typeof FIX_OUTCOMES)[number];

  @NestedField(() => ResourceReferenceDto, {
    nullable: true,
    description: 'The object that it changes; null for the images of the nodes',
  })
  object!: ResourceReferenceDto | null;

  @NullableField(String, { description: 'YAML; null if the object did not exist', example: 'kind: Pod\n' })
  before!: string | null;

  @NullableField(String, { description: 'YAML; null if the object does not remain', example: 'kind: Pod\n' })
  after!: string | null;

  @Field({ example: 'Set the memory limit of container mailer to 128Mi. A rollout replaces the Pods.' })
  message!: string;

  @Field({ type: [String], description: 'Warnings from Slipway and the cluster' })
  warnings!: string[];

  @NestedField(() => JobReferenceDto, { nullable: true, description: 'The job that does it' })
  job!: JobReferenceDto | null;

  @Field()
  dry_run!: boolean;
}
