import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsIn, IsObject, IsString, Matches, ValidateIf, ValidateNested } from 'class-validator';
import {
  AlwaysPresent,
  Exposed,
  Field,
  Flag,
  NestedField,
  NullableField,
  OptionalInteger,
  Text,
} from '../../core/api/index.js';
import type { SearchEnd } from '../../drivers/log-store/index.js';
import { LineDto } from '../log-lines/index.js';
import { MAX_NAME, PRINTABLE, trimmed } from '../log-search/index.js';
import { AlertQueryDto, AlertSourcesDto } from './alert-query.dto.js';

const SEARCH_ENDS = ['complete', 'limit', 'timeout'] as const satisfies readonly SearchEnd[];

const DELIVERY_STATES = ['none', 'waiting', 'delivered', 'failed'] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Format of the request: the firing as JSON, or a chat message. */
export const WEBHOOK_FORMS = ['slipway', 'slack', 'discord', 'teams', 'ntfy'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

const MAX_THRESHOLD = 1_000_000;
const MAX_SECONDS = 86_400;

/** An object of a request, with a default. */
function Part(type: () => new () => object, description: string): PropertyDecorator {
  return applyDecorators(
    NestedField(type, { required: false, description }),
    IsObject({ message: 'must be an object' }),
    ValidateNested(),
  );
}

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

/** When an alert fires. */
export class PreviewAlertDto {
  @Part(() => AlertQueryDto, 'Default: every line')
  query: AlertQueryDto = new AlertQueryDto();

  @Part(() => AlertSourcesDto, 'Default: every source')
  sources: AlertSourcesDto = new AlertSourcesDto();

  @Exposed()
  @OptionalInteger({
    description: 'Number of lines in the window at which the alert fires',
    default: 1,
    minimum: 1,
    maximum: MAX_THRESHOLD,
  })
  threshold: number = 1;

  @Exposed()
  @OptionalInteger({ description: 'The window', default: 60, minimum: 1, maximum: MAX_SECONDS })
  window_seconds: number = 60;

  @Exposed()
  @OptionalInteger({
    description: 'Minimum time between two firings',
    default: 300,
    minimum: 1,
    maximum: MAX_SECONDS,
  })
  quiet_seconds: number = 300;
}

/** The fields of an alert that a user sets, except its webhook. */
class AlertSettingsDto extends PreviewAlertDto {
  @Exposed()
  @Text({ example: 'Payments time out', minLength: 1, maxLength: MAX_NAME })
  @Transform(trimmed)
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  name!: string;

  @Exposed()
  @Flag({ default: true })
  enabled: boolean = true;

  @Exposed()
  @Flag({ description: 'Whether open log board pages show a notification', default: true })
  browser: boolean = true;
}

class WebhookAddressDto {
  @Exposed()
  @Text({ example: 'https://chat.example.org/hooks/slipway', maxLength: 2000 })
  url!: string;

  @Field({
    required: false,
    enum: WEBHOOK_FORMS,
    enumName: 'WebhookForm',
    description:
      'Format of the request: the firing as JSON (`slipway`), or a chat message. Mattermost accepts `slack`.',
    default: 'slipway',
  })
  @IsIn(WEBHOOK_FORMS, { message: `must be one of ${WEBHOOK_FORMS.join(', ')}` })
  form: WebhookForm = 'slipway';
}

export class WebhookRequestDto extends WebhookAddressDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    writeOnly: true,
    description:
      'Key for the signature of requests. It is never returned. Omit the field to keep the current secret; null removes it.',
    example: 'the output of: openssl rand -hex 32',
  })
  @ValidateIf((_object, value) => value !== undefined && value !== null)
  @IsString({ message: 'must be text' })
  @Matches(/^[\x20-\x7e]{8,200}$/, { message: 'must have 8 to 200 printable ASCII characters' })
  secret?: string | null;
}

export class SaveAlertDto extends AlertSettingsDto {
  @ApiPropertyOptional({
    type: () => WebhookRequestDto,
    nullable: true,
    description: 'Receives each firing by POST. Omit the field or send null for no webhook.',
  })
  @ValidateIf((_object, value) => value !== null)
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => WebhookRequestDto)
  webhook: WebhookRequestDto | null = null;
}

@AlwaysPresent('form')
export class WebhookDto extends WebhookAddressDto {
  @Field({ description: 'Whether requests are signed', example: true })
  has_secret!: boolean;
}

const ALERT_STATES = ['quiet', 'firing'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

@AlwaysPresent('text', 'regex', 'case', 'without', 'level', 'field', 'without_field')
class AlertLinesDto extends AlertQueryDto {}

@AlwaysPresent('enabled', 'sources', 'threshold', 'window_seconds', 'quiet_seconds', 'browser')
export class AlertDto extends AlertSettingsDto {
  @Field({ example: 1 })
  id!: number;

  @NestedField(() => AlertLinesDto, { required: true, description: 'Which lines count' })
  override query: AlertLinesDto = new AlertLinesDto();

  @NestedField(() => WebhookDto, { nullable: true })
  webhook!: WebhookDto | null;

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

  @NullableField(String, {
    description: 'Why Slipway disabled it or cannot send its webhook',
    example: null,
  })
  problem!: string | null;

  @Field({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  created_at!: string;
}

export class AlertPreviewDto {
  @Field({ description: 'How often the alert would have fired', example: 3 })
  fired!: number;

  @Field({ description: 'Matching lines', example: 41 })
  lines!: number;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:44:02.117003Z' })
  last_fired_at!: string | null;

  @NullableField(String, {
    format: 'date-time',
    description:
      'Since when the lines were evaluated: 24 hours, or less if older lines are not stored or the search ended early. Null if unknown',
    example: '2026-11-20T10:00:00.000000Z',
  })
  since!: string | null;

  @Field({
    enum: SEARCH_ENDS,
    description: '`complete`, or why older lines were not evaluated: `limit` of 50,000 lines, or `timeout`',
  })
  reason!: SearchEnd;
}

export class DeletedAlertDto {
  @Field({ example: 1, description: 'Id of the deleted alert' })
  id!: number;
}
