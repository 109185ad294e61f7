import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../../drivers/kubernetes/index.js';
import { CAUSE_CODES, EvidenceDto, type CauseCode } from '../diagnosis/index.js';
import { ResourceReferenceDto } from '../resources/index.js';

/** A workload, or another object, that does not work. */
export class ProblemDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ description: '`core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @NullableField(String, { description: 'Null for cluster-scoped kinds', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'mailer' })
  name!: string;

  @Field({
    format: 'date-time',
    description: 'Since when it does not work, as far as the cluster reports it',
    example: '2026-11-21T09:26:44Z',
  })
  since!: string;

  @Field({
    enum: RESOURCE_HEALTH,
    enumName: 'ResourceHealth',
    description: 'As in tables',
    example: 'warning',
  })
  health!: ResourceHealth;

  @Field({ enum: CAUSE_CODES, enumName: 'CauseCode', example: 'crash' })
  code!: CauseCode;

  @Field({ description: 'One sentence', example: 'Container mailer exited with code 1 after 4 restarts.' })
  message!: string;

  @NestedField(() => EvidenceDto, { isArray: true })
  evidence!: EvidenceDto[];

  @Field({
    description: 'What to do',
    example: 'Read the log of the previous instance, then correct the command or the configuration.',
  })
  next_step!: string;

  @NullableField(String, { description: 'Helm release, with its namespace', example: 'shop/mailer' })
  release!: string | null;

  @NestedField(() => ResourceReferenceDto, {
    description: 'Where the cause was found: the object itself, or a Pod, ReplicaSet, Job or claim of it',
  })
  found_in!: ResourceReferenceDto;

  @NullableField(String, { description: 'Container of the Pod', example: 'mailer' })
  container!: string | null;
}
