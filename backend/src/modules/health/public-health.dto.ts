import { Field } from '../../core/api/index.js';

/** The health of an application, for everybody. */
export class PublicHealthDto {
  @Field({
    enum: ['ok', 'degraded'],
    enumName: 'HealthStatus',
    description: '`degraded`: Slipway works, but something that it needs does not',
  })
  status!: 'ok' | 'degraded';

  @Field({ example: '0.4.0' })
  version!: string;
}
