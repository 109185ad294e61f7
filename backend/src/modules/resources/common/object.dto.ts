import { Field, NestedField, NullableField } from '../../../core/api/index.js';
import { ObjectReferenceDto, ResourceReferenceDto, ResourceTypeDto } from './resource.dto.js';

export class OwnerReferenceDto extends ObjectReferenceDto {
  @Field({ description: 'Whether this owner is the controller, which recreates the object' })
  controller!: boolean;
}

/** Actions besides editing and deleting. */
const RESOURCE_ACTIONS = [
  'expose',
  'scale',
  'restart',
  'pause-rollout',
  'resume-rollout',
  'cordon',
  'uncordon',
  'drain',
  'restart-pod',
  'change-image',
  'run',
  'suspend',
  'resume',
] as const;
export type ResourceAction = (typeof RESOURCE_ACTIONS)[number];

export class ResourceObjectDto {
  @NestedField(() => ResourceTypeDto)
  type!: ResourceTypeDto;

  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'settings' })
  name!: string;

  @Field({ example: '5d0b6c9e-0f4c-4a54-9d2b-2f6f7a1f2c11' })
  uid!: string;

  @Field({ example: '48213' })
  resource_version!: string;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:26:44Z' })
  created_at!: string | null;

  @Field({
    description: 'Without managedFields. Values of a Secret are replaced by `<hidden>`',
    example: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\n',
  })
  yaml!: string;

  @Field({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The field `spec` of the YAML; null for kinds without it',
    example: null,
  })
  spec!: object | null;

  @Field({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The field `status` of the YAML; null for kinds without it',
    example: null,
  })
  status!: object | null;

  @Field({ type: [String], description: 'Keys of hidden values, which can be revealed one at a time' })
  hidden_keys!: string[];

  @NestedField(() => OwnerReferenceDto, { isArray: true })
  owners!: OwnerReferenceDto[];

  @NestedField(() => ResourceReferenceDto, {
    isArray: true,
    description: 'Pods that mount this PersistentVolumeClaim; empty for other kinds',
  })
  used_by!: ResourceReferenceDto[];

  @Field({ isArray: true, enum: RESOURCE_ACTIONS })
  actions!: ResourceAction[];

  @NullableField(Number, {
    description: 'Desired replicas; null for kinds that cannot be scaled',
    example: null,
  })
  replicas!: number | null;
}
