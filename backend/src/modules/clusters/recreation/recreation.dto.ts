import { Field, Flag, NestedField, NullableField } from '../../../core/api/index.js';
import { CheckProblemDto, ObjectNamesDto } from '../inventory/cluster.dto.js';

export class RecreateClusterDto {
  @Flag({ description: 'Keeps the nodes of a failed creation for troubleshooting' })
  keep_on_failure: boolean = false;
}

export class LossesDto extends ObjectNamesDto {
  @NullableField(Number, {
    description: 'Running and pending Pods except system Pods; null if the cluster is unavailable',
    example: 3,
  })
  pods!: number | null;

  @NullableField(Number, {
    description: 'PersistentVolumeClaims; null if the cluster is unavailable',
    example: 1,
  })
  volume_claims!: number | null;

  @NullableField(String, {
    description: 'A summary sentence; null if nothing is deleted',
    example:
      'Lost with the old nodes: 2 containers and 2 volumes, 3 Pods and 1 volume claim, and all data in them.',
  })
  summary!: string | null;
}

export class PlannedShapeDto {
  @Field({ example: 1 })
  control_planes!: number;

  @Field({ example: 3 })
  workers!: number;

  @NullableField(String, { example: 'v1.34.4' })
  node_image_tag!: string | null;
}

export class RecreationCheckDto {
  @Field({ description: 'Whether no known problem prevents the recreation' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true, description: 'All problems' })
  problems!: CheckProblemDto[];

  @Field({ type: [String], description: 'Problems that do not prevent the recreation' })
  warnings!: string[];

  @NestedField(() => LossesDto, { description: 'What is deleted with the old nodes' })
  losses!: LossesDto;

  @Field({
    type: [String],
    description:
      'What the saved config changes. Empty if it is unchanged, or if the config before is unknown',
    example: ['worker gets label disk=ssd'],
  })
  changes!: string[];

  @Field({
    description:
      'Whether it changes only labels of nodes, which POST /clusters/{name}/config/labels sets on the running nodes',
  })
  labels_only!: boolean;

  @NestedField(() => PlannedShapeDto, {
    nullable: true,
    description: 'The nodes of the saved config; null if it is invalid',
  })
  becomes!: PlannedShapeDto | null;
}
