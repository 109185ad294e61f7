import { Field, NestedField } from '../../../core/api/index.js';
import { LineDto } from '../lines/line.dto.js';

export const DELIVERY_STATES = ['none', 'waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How the webhook of a firing fared. */
export class DeliveryDto {
  @Field({
    enum: DELIVERY_STATES,
    enumName: 'DeliveryState',
    description: 'none where the alert has no webhook',
  })
  state!: DeliveryState;

  @Field({ example: 1 })
  attempts!: number;

  @Field({ type: Number, nullable: true, description: 'Status of the last answer', example: 204 })
  status!: number | null;

  @Field({ type: String, nullable: true, description: 'Why the last attempt failed', example: null })
  error!: string | null;
}

/** One time that an alert's threshold was reached. */
export class AlertFiringDto {
  @Field({ example: 3 })
  id!: number;

  @Field({ example: 1 })
  alert_id!: number;

  @Field({ description: 'Name of the alert', example: 'Payments time out' })
  name!: string;

  @Field({ example: '2026-11-21T09:44:02.117003Z' })
  time!: string;

  @Field({ description: 'Lines that matched within the window', example: 12 })
  count!: number;

  @NestedField(() => LineDto, { nullable: true, description: 'The newest of them' })
  sample!: LineDto | null;

  @NestedField(() => DeliveryDto)
  webhook!: DeliveryDto;
}
