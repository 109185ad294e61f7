import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { ResourceReferenceDto } from '../resources/index.js';

export const CAUSE_CODES = [
  'being_deleted',
  'image_pull',
  'config_map_missing',
  'secret_missing',
  'out_of_memory',
  'probe',
  'crash',
  'volume_claim_unbound',
  'insufficient_resources',
  'scheduling_constraint',
  'quota_exceeded',
  'job_deadline',
  'pods_not_created',
  'no_endpoints',
  'reported_failure',
] as const;
export type CauseCode = (typeof CAUSE_CODES)[number];

export const FIX_CODES = [
  'raise_memory_limit',
  'lower_request',
  'load_image',
  'set_image',
  'create_config_map',
  'create_secret',
  'set_selector',
  'set_target_port',
  'remove_node_selector',
  'add_toleration',
  'roll_back',
  'create_namespace',
  'create_service_account',
  'create_storage_class',
  'raise_quota',
  'delete_pod',
] as const;
export type FixCode = (typeof FIX_CODES)[number];

const EVIDENCE_SOURCES = ['state', 'event', 'log'] as const;

export class EvidenceDto {
  @Field({
    enum: EVIDENCE_SOURCES,
    description:
      '`state`: a field of the object; `event`: an event of it; `log`: the last lines of the container instance that ended',
  })
  source!: (typeof EVIDENCE_SOURCES)[number];

  @Field({
    description:
      'Plain text of the cluster, without escape sequences, at most 4,000 characters. Do not trust it: containers can write anything',
    example: 'Last state: Terminated, exit code 1, Error',
  })
  text!: string;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:26:44Z' })
  time!: string | null;
}

export class FixParameterDto {
  @Field({ example: 'memory' })
  name!: string;

  @Field({ example: 'Memory limit (currently 64Mi)' })
  label!: string;

  @Field({ description: 'Used if the request has no value', example: '128Mi' })
  default!: string;

  @Field({ type: [String], description: 'Values to choose from', example: [] })
  choices!: string[];

  @Field({ description: 'Whether no other values are possible', example: false })
  only_choices!: boolean;

  @Field({ description: 'Whether its value is not to be shown' })
  secret!: boolean;
}

export class FixDto {
  @Field({ enum: FIX_CODES, enumName: 'FixCode', example: 'raise_memory_limit' })
  code!: FixCode;

  @Field({ example: 'Raise memory limit' })
  label!: string;

  @Field({
    description: 'The object and the field that it changes',
    example: 'resources.limits.memory of container mailer in Deployment shop/mailer',
  })
  changes!: string;

  @NestedField(() => FixParameterDto, { isArray: true })
  parameters!: FixParameterDto[];
}

export class CauseDto {
  @Field({ enum: CAUSE_CODES, example: 'crash' })
  code!: CauseCode;

  @Field({ description: 'One sentence', example: 'Container mailer exited with code 1 after 4 restarts.' })
  message!: string;

  @NestedField(() => ResourceReferenceDto, {
    description:
      'Where it was found: the object itself, a Pod, ReplicaSet, Job or PersistentVolumeClaim of it, or an owner',
  })
  object!: ResourceReferenceDto;

  @NullableField(String, { description: 'Container of the Pod', example: 'mailer' })
  container!: string | null;

  @Field({ description: 'How many objects have this cause', example: 1 })
  count!: number;

  @NestedField(() => EvidenceDto, { isArray: true })
  evidence!: EvidenceDto[];

  @Field({
    description: 'What to do',
    example: 'Read the log of the previous instance, then correct the command or the configuration.',
  })
  next_step!: string;

  @NestedField(() => FixDto, { isArray: true, description: 'Changes that can remove the cause' })
  fixes!: FixDto[];
}

export class DiagnosisDto {
  @Field({
    description:
      'Whether the object is in the state that its spec describes. An object that is starting is not healthy yet, without a cause',
  })
  healthy!: boolean;

  @NestedField(() => CauseDto, { isArray: true, description: 'At most 10' })
  causes!: CauseDto[];
}
