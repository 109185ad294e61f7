import { Matches } from 'class-validator';
import { Field, Flag, NestedField, NullableField, Text } from '../../../core/api/index.js';
import { NAMESPACE_NAME, OBJECT_NAME } from '../../../core/security/index.js';

export class RestartPodDto {
  @Text({ example: 'shop' })
  @Matches(NAMESPACE_NAME, { message: 'must be a valid namespace name, such as shop' })
  namespace!: string;

  @Text({ example: 'web-6d4cf56db6-x2x7k' })
  @Matches(OBJECT_NAME, { message: 'must be a valid pod name' })
  name!: string;

  @Flag({ description: 'Delete the pod even if it is not recreated' })
  force?: boolean;

  @Flag({ description: 'Only return the owner and the expected outcome' })
  dry_run?: boolean;
}

export class PodOwnerDto {
  @Field({ example: 'ReplicaSet' })
  kind!: string;

  @Field({ example: 'web-6d4cf56db6' })
  name!: string;

  @NestedField(() => PodOwnerDto, {
    nullable: true,
    description: 'The owner of the owner, such as a Deployment',
  })
  owner!: PodOwnerDto | null;
}

export class RestartedPodDto {
  @Field({ example: 'shop' })
  namespace!: string;

  @Field({ example: 'web-6d4cf56db6-x2x7k' })
  name!: string;

  @NestedField(() => PodOwnerDto, { nullable: true, description: 'Null if the pod has no controller' })
  owner!: PodOwnerDto | null;

  @Field({ description: 'Whether the pod is recreated' })
  comes_back!: boolean;

  @Field({ description: 'Whether the pod was deleted; false for a dry run' })
  deleted!: boolean;

  @Field({
    example: 'The replica set web-6d4cf56db6 of the deployment web creates a replacement with a new name.',
  })
  message!: string;

  @NullableField(String, {
    description: 'Name of the replacement, if it appeared within a few seconds',
    example: 'web-6d4cf56db6-9tq2m',
  })
  replacement!: string | null;

  @Field()
  dry_run!: boolean;
}
