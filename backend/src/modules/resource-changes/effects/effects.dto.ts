import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, Matches, ValidateNested } from 'class-validator';
import { Field, NullableField, OptionalInteger, OptionalText, Text } from '../../../core/api/index.js';
import { NAMESPACE_NAME, OBJECT_NAME } from '../../../core/security/index.js';
import { MAX_REPLICAS } from '../change/change.dto.js';

const MAX_OBJECTS = 100;
const ACTIONS = ['restart', 'scale', 'delete'] as const;

class AffectedObjectDto {
  @OptionalText({ description: 'For namespaced kinds', example: 'shop' })
  @Matches(NAMESPACE_NAME, { message: 'is not a valid namespace name' })
  namespace?: string;

  @Text({ example: 'web' })
  @Matches(OBJECT_NAME, { message: 'must be a valid name' })
  name!: string;
}

export class EffectsDto {
  @ApiProperty({ enum: ACTIONS, example: 'restart' })
  @IsIn(ACTIONS, { message: `must be ${ACTIONS.join(', ')}` })
  action!: (typeof ACTIONS)[number];

  @OptionalInteger({
    minimum: 0,
    maximum: MAX_REPLICAS,
    example: 3,
    description: 'Desired replicas, for the action `scale`. Default: 0',
  })
  replicas?: number;

  @ApiProperty({ type: [AffectedObjectDto], maxItems: MAX_OBJECTS })
  @IsArray({ message: 'must be a list of objects' })
  @ArrayMinSize(1, { message: 'must contain at least one object' })
  @ArrayMaxSize(MAX_OBJECTS, { message: `must contain at most ${MAX_OBJECTS} objects` })
  @ValidateNested({ each: true })
  @Type(() => AffectedObjectDto)
  objects!: AffectedObjectDto[];
}

export class EffectDto {
  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;

  @Field({ description: 'Whether the change can be made. If not, `effect` is the reason' })
  possible!: boolean;

  @Field({ example: '3 Pods are replaced.' })
  effect!: string;

  @Field({ description: 'Whether data is lost, or something that is not recreated' })
  loss!: boolean;

  @Field({ type: [String], description: 'What may revert the change, and other side effects' })
  warnings!: string[];
}
