import { Field, NestedField, NullableField } from '../../core/api/index.js';

export class HealthCheckDto {
  @Field({ example: 'docker' })
  name!: string;

  @Field()
  ok!: boolean;

  @NullableField(String, { description: 'Why it is not ok', example: null })
  reason!: string | null;
}

export class HealthDto {
  @Field({
    enum: ['ok', 'degraded'],
    enumName: 'HealthStatus',
    description: '`degraded`: Slipway works, but something that it needs does not',
  })
  status!: 'ok' | 'degraded';

  @Field({ example: '0.2.0' })
  version!: string;

  @Field({ example: 3600 })
  uptime_seconds!: number;

  @NestedField(() => HealthCheckDto, { isArray: true })
  checks!: HealthCheckDto[];
}
