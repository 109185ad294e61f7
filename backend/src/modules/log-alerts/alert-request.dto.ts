import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Flag, Optional, Text } from '../../core/api/index.js';
import { FIELD_PAIR } from '../log-lines/index.js';
import { LEVELS, type Level } from '../../drivers/log-store/index.js';
import { MAX_NAME, PRINTABLE, trimmed } from '../log-search/index.js';
import { MAX_PARTS, MAX_SECONDS, MAX_TEXT, MAX_THRESHOLD, WEBHOOK_FORMS, type WebhookForm } from './alert.js';

const ANY_LEVEL = [...LEVELS, 'none'] as const;
const TEXT_PROBLEM = `must be text of 1 to ${MAX_TEXT} characters without line breaks`;
const TEXTS_PROBLEM = `must be at most ${MAX_PARTS} texts of 1 to ${MAX_TEXT} characters without line breaks`;
const SOURCE_PROBLEM = 'must have at most 253 characters and no control characters';

function WholeNumber(minimum: number, maximum: number): PropertyDecorator {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return (target, property) => {
    IsInt({ message })(target, property);
    Min(minimum, { message })(target, property);
    Max(maximum, { message })(target, property);
  };
}

/** Allows null as well as a missing field. */
function OptionalOrNull(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined && value !== null);
}

/** Text that a line can contain. */
function LineText(options: { each?: boolean } = {}): PropertyDecorator {
  const message = options.each ? TEXTS_PROBLEM : TEXT_PROBLEM;
  return (target, property) => {
    IsString({ ...options, message })(target, property);
    Length(1, MAX_TEXT, { ...options, message })(target, property);
    Matches(/^[^\n\r\u0000]*$/, { ...options, message })(target, property);
  };
}

function LineTexts(): PropertyDecorator {
  return (target, property) => {
    LineText({ each: true })(target, property);
    ArrayMaxSize(MAX_PARTS, { message: TEXTS_PROBLEM })(target, property);
    IsArray({ message: TEXTS_PROBLEM })(target, property);
    Optional()(target, property);
  };
}

function FieldPairs(): PropertyDecorator {
  return (target, property) => {
    Matches(FIELD_PAIR, { each: true, message: 'must each be name:value, such as status:504' })(
      target,
      property,
    );
    LineTexts()(target, property);
  };
}

function SourceText(): PropertyDecorator {
  return (target, property) => {
    Optional()(target, property);
    IsString({ message: SOURCE_PROBLEM })(target, property);
    MaxLength(253, { message: SOURCE_PROBLEM })(target, property);
    Matches(PRINTABLE, { message: SOURCE_PROBLEM })(target, property);
  };
}

/** Which lines count. All conditions must match; without conditions, every line counts. */
export class AlertQueryDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Text that the line contains, or a regular expression',
    example: 'upstream timeout',
    maxLength: MAX_TEXT,
  })
  @OptionalOrNull()
  @LineText()
  text?: string | null;

  @Flag({ description: 'Whether the text is a regular expression' })
  regex?: boolean;

  @Flag({ description: 'Whether the search is case-sensitive' })
  case?: boolean;

  @ApiPropertyOptional({
    type: [String],
    description: 'Texts that the line must not contain',
    example: ['health check'],
  })
  @LineTexts()
  without?: string[];

  @ApiPropertyOptional({
    isArray: true,
    enum: ANY_LEVEL,
    description: 'Any of these levels; `none` matches lines without a level',
    example: ['error', 'fatal'],
  })
  @Optional()
  @IsArray({ message: `must be a list of ${ANY_LEVEL.join(', ')}` })
  @ArrayMaxSize(ANY_LEVEL.length, { message: `must be a list of ${ANY_LEVEL.join(', ')}` })
  @IsIn(ANY_LEVEL, { each: true, message: `must be a list of ${ANY_LEVEL.join(', ')}` })
  level?: (Level | 'none')[];

  @ApiPropertyOptional({
    type: [String],
    description: 'Fields of a JSON or logfmt line, each as `name:value`',
    example: ['status:504'],
  })
  @FieldPairs()
  field?: string[];

  @ApiPropertyOptional({
    type: [String],
    description: 'Fields that the line must not have, each as `name:value`',
    example: ['method:OPTIONS'],
  })
  @FieldPairs()
  without_field?: string[];
}

/** Which sources are read. Missing fields match all; `*` is a wildcard. */
export class AlertSourcesDto {
  @ApiPropertyOptional({ description: 'Engine', example: 'docker' })
  @SourceText()
  runtime?: string;

  @ApiPropertyOptional({ example: 'payments-dev' })
  @SourceText()
  cluster?: string;

  @ApiPropertyOptional({ example: 'payments' })
  @SourceText()
  namespace?: string;

  @ApiPropertyOptional({
    description: 'Name, with or without the kind',
    example: 'Deployment/payments-api',
  })
  @SourceText()
  workload?: string;

  @ApiPropertyOptional({ description: 'Name of the container, pod or node', example: 'payments-api-*' })
  @SourceText()
  name?: string;
}

export class WebhookRequestDto {
  @Text({ example: 'https://chat.example.org/hooks/slipway', maxLength: 2000 })
  url!: string;

  @ApiPropertyOptional({
    enum: WEBHOOK_FORMS,
    enumName: 'WebhookForm',
    description:
      'Format of the request: the firing as JSON (`slipway`), or a chat message. Mattermost accepts `slack`.',
    default: 'slipway',
  })
  @Optional()
  @IsIn(WEBHOOK_FORMS, { message: `must be one of ${WEBHOOK_FORMS.join(', ')}` })
  form?: WebhookForm;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    writeOnly: true,
    description:
      'Key for the signature of requests. It is never returned. Omit the field to keep the current secret; null removes it.',
    example: 'the output of: openssl rand -hex 32',
  })
  @OptionalOrNull()
  @IsString({ message: 'must be text' })
  @Matches(/^[\x20-\x7e]{8,200}$/, { message: 'must have 8 to 200 printable ASCII characters' })
  secret?: string | null;
}

export class SaveAlertDto {
  @Text({ example: 'Payments time out', minLength: 1, maxLength: MAX_NAME })
  @Transform(trimmed)
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  name!: string;

  @Flag({ default: true })
  enabled?: boolean;

  @ApiPropertyOptional({ type: () => AlertQueryDto, description: 'Default: every line' })
  @Optional()
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => AlertQueryDto)
  query?: AlertQueryDto;

  @ApiPropertyOptional({ type: () => AlertSourcesDto, description: 'Default: every source' })
  @Optional()
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => AlertSourcesDto)
  sources?: AlertSourcesDto;

  @ApiPropertyOptional({
    description: 'Number of lines in the window at which the alert fires',
    default: 1,
    minimum: 1,
    maximum: MAX_THRESHOLD,
  })
  @Optional()
  @WholeNumber(1, MAX_THRESHOLD)
  threshold?: number;

  @ApiPropertyOptional({ description: 'The window', default: 60, minimum: 1, maximum: MAX_SECONDS })
  @Optional()
  @WholeNumber(1, MAX_SECONDS)
  window_seconds?: number;

  @ApiPropertyOptional({
    description: 'Minimum time between two firings',
    default: 300,
    minimum: 1,
    maximum: MAX_SECONDS,
  })
  @Optional()
  @WholeNumber(1, MAX_SECONDS)
  quiet_seconds?: number;

  @ApiPropertyOptional({
    type: () => WebhookRequestDto,
    nullable: true,
    description: 'Receives each firing by POST. Omit the field or send null for no webhook.',
  })
  @OptionalOrNull()
  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => WebhookRequestDto)
  webhook?: WebhookRequestDto | null;

  @Flag({ description: 'Whether open log board pages show a notification', default: true })
  browser?: boolean;
}
