import { Field, NestedField, NullableField, OptionalInteger } from '../../../core/api/index.js';
import { ReplacedResourceDto } from '../change/change.dto.js';

export class RevisionDto {
  @Field({ example: 3 })
  revision!: number;

  @Field({ description: 'Whether it is the newest, which the workload runs or is being rolled out' })
  current!: boolean;

  @Field({ description: 'The ReplicaSet or ControllerRevision that keeps it', example: 'web-6b7f9c5d4f' })
  name!: string;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:26:44Z' })
  created_at!: string | null;

  @NullableField(String, {
    description: 'The annotation kubernetes.io/change-cause',
    example: 'update to nginx 1.28',
  })
  change_cause!: string | null;

  @Field({ type: [String], example: ['nginx:1.28'] })
  images!: string[];

  @NullableField(Number, {
    description: 'Pods of this revision; null for StatefulSets and DaemonSets',
    example: 2,
  })
  pods!: number | null;

  @NullableField(Boolean, {
    description:
      'Whether its Pods have become ready; null if unknown. `false` of the current revision: not yet; of an earlier one: it was rolled back before',
    example: true,
  })
  ready!: boolean | null;

  @Field({ description: 'YAML of the Pod template', example: 'spec:\n  containers:\n    - name: main\n' })
  template!: string;
}

export class RolloutDto {
  @Field({ description: 'Whether changes of the Pod template wait. Only a Deployment can be paused' })
  paused!: boolean;

  @NestedField(() => RevisionDto, { isArray: true, description: 'Newest first' })
  revisions!: RevisionDto[];
}

export class UndoRolloutDto {
  @OptionalInteger({
    minimum: 1,
    example: 2,
    description: 'By default the revision before the current one',
  })
  revision?: number;
}

export class UndoneRolloutDto extends ReplacedResourceDto {
  @Field({ description: 'The revision whose Pod template was taken', example: 2 })
  revision!: number;

  @Field({ example: 'Rolled back to revision 2, now revision 4. A rollout replaces the pods.' })
  message!: string;
}
