import { Field, NestedField, NullableField } from '../../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../../../drivers/kubernetes/index.js';
import { ResourceReferenceDto } from '../common/resource.dto.js';

export class MapNodeDto extends ResourceReferenceDto {
  @Field({ description: 'Whether it exists: an Ingress can name a Service that does not' })
  exists!: boolean;

  @Field({ enum: RESOURCE_HEALTH, enumName: 'ResourceHealth' })
  health!: ResourceHealth;

  @NullableField(String, { description: 'Why it is not healthy, if it says so', example: 'CrashLoopBackOff' })
  reason!: string | null;
}

export class MapEdgeDto {
  @Field({ description: 'Index of a node', example: 0 })
  from!: number;

  @Field({ description: 'Index of a node', example: 1 })
  to!: number;

  @Field({ description: 'What it leads through; empty for an owner', example: '80 → http' })
  ports!: string;

  @NullableField(String, { description: 'Why nothing gets through', example: 'No Pod is ready.' })
  problem!: string | null;
}

export class ResourceMapDto {
  @NestedField(() => MapNodeDto, {
    isArray: true,
    description: 'Ingresses, Services, the workload, ReplicaSets, Pods',
  })
  nodes!: MapNodeDto[];

  @NestedField(() => MapEdgeDto, { isArray: true })
  edges!: MapEdgeDto[];

  @Field({ description: 'Pods that are left out: at most 50 are nodes', example: 0 })
  more_pods!: number;
}
