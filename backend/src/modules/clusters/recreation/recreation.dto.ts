import { Field, Flag, NestedField, NullableField } from '../../../core/api/index.js';
import { CheckProblemDto } from '../inventory/index.js';

export class RecreateClusterDto {
  @Flag({ description: 'Leaves the nodes of a failed creation, for somebody to look into' })
  keep_on_failure: boolean = false;
}

export class LossesDto {
  @Field({ type: [String], example: ['staging-control-plane', 'staging-worker'] })
  containers!: string[];

  @Field({ type: [String], description: 'Names of volumes' })
  volumes!: string[];

  @NullableField(Number, {
    description:
      'Pods that run or wait in it, but those of the cluster itself; null where the cluster cannot be asked',
    example: 3,
  })
  pods!: number | null;

  @NullableField(Number, {
    description: 'Persistent volume claims in it; null where the cluster cannot be asked',
    example: 1,
  })
  volume_claims!: number | null;

  @NullableField(String, {
    description: 'The same as a sentence; null where nothing is lost',
    example:
      'Lost with the old nodes: 2 containers and 2 volumes, with 3 pods, 1 volume claim and all data in them.',
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
  @Field({ description: 'Whether nothing is known that stands in its way' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true, description: 'Everything that does, all at once' })
  problems!: CheckProblemDto[];

  @Field({ type: [String], description: 'What does not stand in the way but deserves a look' })
  warnings!: string[];

  @NestedField(() => LossesDto, { description: 'What is deleted with the old nodes and does not come back' })
  losses!: LossesDto;

  @NestedField(() => PlannedShapeDto, {
    nullable: true,
    description: 'What the saved config makes; null where it cannot be used',
  })
  becomes!: PlannedShapeDto | null;
}
