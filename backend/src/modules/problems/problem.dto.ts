import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../../drivers/kubernetes/index.js';
import { CAUSE_CODES, EvidenceDto, type CauseCode } from '../diagnosis/index.js';
import { BrokenObjectDto } from '../jobs/index.js';
import { ResourceReferenceDto } from '../resources/index.js';

export class ProblemDto extends BrokenObjectDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({
    enum: RESOURCE_HEALTH,
    enumName: 'ResourceHealth',
    description: 'As in tables',
    example: 'warning',
  })
  health!: ResourceHealth;

  @Field({ enum: CAUSE_CODES, enumName: 'CauseCode', example: 'crash' })
  code!: CauseCode;

  @NestedField(() => EvidenceDto, { isArray: true })
  evidence!: EvidenceDto[];

  @NullableField(String, { description: 'Helm release, with its namespace', example: 'shop/mailer' })
  release!: string | null;

  @NestedField(() => ResourceReferenceDto, {
    description: 'Where the cause was found: the object itself, or a Pod, ReplicaSet, Job or claim of it',
  })
  found_in!: ResourceReferenceDto;

  @NullableField(String, { description: 'Container of the Pod', example: 'mailer' })
  container!: string | null;
}
