import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { LineDto } from '../log-lines/index.js';
import { LEVELS, type Level } from '../../drivers/log-store/index.js';
import { WEBHOOK_FORMS, type WebhookForm } from './alert.js';

const DELIVERY_STATES = ['none', 'waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export class DeliveryDto {
  @Field({
    enum: DELIVERY_STATES,
    enumName: 'DeliveryState',
    description: '`none` if the alert has no webhook',
  })
  state!: DeliveryState;

  @Field({ example: 1 })
  attempts!: number;

  @NullableField(Number, { description: 'HTTP status of the last attempt', example: 204 })
  status!: number | null;

  @NullableField(String, { description: 'Why the last attempt failed', example: null })
  error!: string | null;
}

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

  @NestedField(() => LineDto, { nullable: true, description: 'The newest of these lines' })
  sample!: LineDto | null;

  @NullableField(String, {
    description: 'Key of the source of that line; null if unknown',
    example: 'pod/docker/payments-dev/6c1e…/api',
  })
  source_key!: string | null;

  @Field({ description: 'Whether the log store still has that line', example: true })
  kept!: boolean;

  @Field({ description: 'Whether it is a test', example: false })
  test!: boolean;

  @NestedField(() => DeliveryDto)
  webhook!: DeliveryDto;
}

const ALERT_STATES = ['quiet', 'firing'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Which lines count. All conditions must match. */
export class AlertLinesDto {
  @NullableField(String, { example: 'upstream timeout' })
  text!: string | null;

  @Field({ description: 'Whether the text is a regular expression', example: false })
  regex!: boolean;

  @Field({ description: 'Whether the search is case-sensitive', example: false })
  case!: boolean;

  @Field({ type: [String], example: ['health check'] })
  without!: readonly string[];

  @Field({ isArray: true, enum: [...LEVELS, 'none'], example: ['error'] })
  level!: readonly (Level | 'none')[];

  @Field({ type: [String], description: '`name:value`', example: ['status:504'] })
  field!: readonly string[];

  @Field({
    type: [String],
    description: '`name:value` that a line must not have',
    example: ['method:OPTIONS'],
  })
  without_field!: readonly string[];
}

/** Which sources are read. Missing fields match all. */
export class AlertOriginDto {
  @Field({ required: false, example: 'docker' })
  runtime?: string;

  @Field({ required: false, example: 'payments-dev' })
  cluster?: string;

  @Field({ required: false, example: 'payments' })
  namespace?: string;

  @Field({ required: false, example: 'Deployment/payments-api' })
  workload?: string;

  @Field({ required: false, example: 'payments-api-*' })
  name?: string;
}

export class WebhookDto {
  @Field({ example: 'https://chat.example.org/hooks/slipway' })
  url!: string;

  @Field({ enum: WEBHOOK_FORMS, enumName: 'WebhookForm', description: 'Format of the request' })
  form!: WebhookForm;

  @Field({ description: 'Whether requests are signed', example: true })
  has_secret!: boolean;
}

export class AlertDto {
  @Field({ example: 1 })
  id!: number;

  @Field({ example: 'Payments time out' })
  name!: string;

  @Field({ example: true })
  enabled!: boolean;

  @NestedField(() => AlertLinesDto)
  query!: AlertLinesDto;

  @NestedField(() => AlertOriginDto)
  sources!: AlertOriginDto;

  @Field({ description: 'Number of lines in the window at which the alert fires', example: 10 })
  threshold!: number;

  @Field({ example: 60 })
  window_seconds!: number;

  @Field({ description: 'Minimum time between two firings', example: 300 })
  quiet_seconds!: number;

  @NestedField(() => WebhookDto, { nullable: true })
  webhook!: WebhookDto | null;

  @Field({ description: 'Whether open log board pages show a notification', example: true })
  browser!: boolean;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:44:02.117Z' })
  last_fired_at!: string | null;

  @Field({
    enum: ALERT_STATES,
    enumName: 'AlertState',
    description: '`firing` while the threshold is reached in the window that ends now',
  })
  state!: AlertState;

  @Field({ description: 'Lines within the window that ends now', example: 3 })
  count!: number;

  @Field({
    description: 'Lines that were skipped because they arrived too fast for the regular expression',
    example: 0,
  })
  missed!: number;

  @NullableField(String, { description: 'Why Slipway disabled it or cannot send its webhook', example: null })
  problem!: string | null;

  @Field({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  created_at!: string;
}

export class DeletedAlertDto {
  @Field({ example: 1, description: 'Id of the deleted alert' })
  id!: number;
}
