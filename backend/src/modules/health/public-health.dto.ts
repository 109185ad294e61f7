import { Field } from '../../core/api/index.js';

/** The health of an application without details, for clients without a session. */
export class PublicHealthDto {
  @Field({
    enum: ['ok', 'degraded'],
    enumName: 'HealthStatus',
    description: '`degraded`: Slipway works, but something that it needs does not',
  })
  status!: 'ok' | 'degraded';
}
