import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Matches } from 'class-validator';
import { Field, NestedField, Optional } from '../../../core/api/index.js';
import { NAMESPACE_NAME, OBJECT_NAME } from '../../../core/security/index.js';

export class RestartPodDto {
  @ApiProperty({ example: 'shop' })
  @IsString({ message: 'must be text' })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a namespace, such as shop' })
  namespace!: string;

  @ApiProperty({ example: 'web-6d4cf56db6-x2x7k' })
  @IsString({ message: 'must be text' })
  @Matches(OBJECT_NAME, { message: 'must be the name of a pod' })
  name!: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Deletes the pod although nobody brings it back',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  force?: boolean;

  @ApiPropertyOptional({
    default: false,
    description: 'Only says who owns the pod and what would become of it',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;
}

export class PodOwnerDto {
  @Field({ example: 'ReplicaSet' })
  kind!: string;

  @Field({ example: 'web-6d4cf56db6' })
  name!: string;

  @NestedField(() => PodOwnerDto, { nullable: true, description: 'What owns the owner: a Deployment, say' })
  owner!: PodOwnerDto | null;
}

export class RestartedPodDto {
  @Field({ example: 'shop' })
  namespace!: string;

  @Field({ example: 'web-6d4cf56db6-x2x7k' })
  name!: string;

  @NestedField(() => PodOwnerDto, { nullable: true, description: 'Null where nobody owns it' })
  owner!: PodOwnerDto | null;

  @Field({ description: 'Whether a pod takes its place' })
  comes_back!: boolean;

  @Field({ description: 'Whether it was deleted; not in a dry run' })
  deleted!: boolean;

  @Field({
    example:
      'The replica set web-6d4cf56db6 of the deployment web makes another one in its place, under a new name.',
  })
  message!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'The pod that took its place, where one was seen within a few seconds',
    example: 'web-6d4cf56db6-9tq2m',
  })
  replacement!: string | null;

  @Field()
  dry_run!: boolean;
}
