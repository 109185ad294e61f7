import { Matches } from 'class-validator';
import { Field, NestedField, OptionalText } from '../../../core/api/index.js';
import { OBJECT_NAME } from '../../../core/security/index.js';
import { NamespaceQueryDto } from '../common/resource-parameters.js';

export class UsageQueryDto extends NamespaceQueryDto {
  @OptionalText({ description: 'Name of a pod', example: 'web-0' })
  @Matches(OBJECT_NAME, { message: 'is not a valid pod name' })
  pod?: string;
}

class ContainerUsageDto {
  @Field({ example: 'web' })
  name!: string;

  @Field({ description: 'Thousandths of a core', example: 12 })
  cpu_millicores!: number;

  @Field({ example: 33_554_432 })
  memory_bytes!: number;
}

const TREND = { type: 'array', items: { type: 'number', nullable: true }, maxItems: 120 } as const;

export class PodUsageDto {
  @Field({ example: 'shop' })
  namespace!: string;

  @Field({ example: 'web-0' })
  name!: string;

  @NestedField(() => ContainerUsageDto, { isArray: true })
  containers!: ContainerUsageDto[];

  @Field({
    ...TREND,
    description:
      'CPU of the pod, in thousandths of a core: the maximum of each 30 s, the oldest first, of at most the last hour. Null for times in which the usage was not read. Only the first 1,000 pods of a cluster have trends.',
    example: [12, null, 15],
  })
  cpu_trend!: (number | null)[];

  @Field({
    ...TREND,
    description: 'Memory of the pod in bytes, as in `cpu_trend`',
    example: [33_554_432, null, 34_603_008],
  })
  memory_trend!: (number | null)[];
}
