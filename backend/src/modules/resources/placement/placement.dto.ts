import { Field, NestedField, NullableField } from '../../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../../../drivers/kubernetes/index.js';

export class PlacedPodDto {
  @Field({ example: 'shop' })
  namespace!: string;

  @Field({ example: 'web-0' })
  name!: string;

  @NullableField(String, { description: 'Null if it is not scheduled', example: 'staging-worker' })
  node!: string | null;

  @Field({ enum: RESOURCE_HEALTH, enumName: 'ResourceHealth' })
  health!: ResourceHealth;

  @Field({ description: 'As kubectl prints it', example: 'CrashLoopBackOff' })
  status!: string;

  @NullableField(Number, {
    description: 'What its containers request together. Null while unknown, for seconds after it was created',
    example: 134_217_728,
  })
  memory_request_bytes!: number | null;
}

export class PodPlacementDto {
  @NestedField(() => PlacedPodDto, { isArray: true, description: 'By namespace and name; at most 2,000' })
  pods!: PlacedPodDto[];

  @Field({ description: 'Pods in the cluster', example: 23 })
  total!: number;
}
