import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { PublicHealthDto } from './public-health.dto.js';

export class HealthCheckDto {
  @Field({ example: 'docker' })
  name!: string;

  @Field()
  ok!: boolean;

  @NullableField(String, { description: 'Why it is not ok', example: null })
  reason!: string | null;
}

export class HealthDto extends PublicHealthDto {
  @Field({ required: false, example: 3600 })
  uptime_seconds?: number;

  @NestedField(() => HealthCheckDto, { required: false, isArray: true })
  checks?: HealthCheckDto[];
}
