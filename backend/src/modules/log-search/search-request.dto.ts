import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { Optional } from '../../core/api/index.js';
import { queryFlag } from '../../core/api/query-flag.js';
import { queryInteger } from '../../core/api/query-integer.js';
import { FIELD_PAIR } from '../log-lines/index.js';
import { Longest, SourceIds } from './line-page.dto.js';
import { LEVELS, STREAMS } from '../../drivers/log-store/index.js';

/** Maximum matches per response. Clients can continue after the last one, or export. */
const MAX_MATCHES = 10_000;
const MAX_VALUES = 20;

/** A query parameter that may be repeated. */
function queryList({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? [value] : (value as unknown);
}

function commaSeparated({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}

/** Fields with their values. The first failing rule is reported. */
function FieldPairs(): PropertyDecorator {
  return (target, property) => {
    MaxLength(1000, { each: true, message: 'must have at most 1,000 characters' })(target, property);
    Matches(FIELD_PAIR, { each: true, message: 'must be name:value' })(target, property);
    ArrayMaxSize(MAX_VALUES, { message: `may be given at most ${MAX_VALUES} times` })(target, property);
    IsArray({ message: 'must be name:value' })(target, property);
    Transform(queryList)(target, property);
    Optional()(target, property);
  };
}

/** Conditions for lines. */
export class LineFilterDto {
  @ApiPropertyOptional({ description: 'Text that lines contain', example: 'timeout' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(2000, { message: 'must have at most 2,000 characters' })
  q?: string;

  @ApiPropertyOptional({
    description: 'Whether `q` is a JavaScript regular expression',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  regex: boolean = false;

  @ApiPropertyOptional({ description: 'Whether `q` is case-sensitive', type: Boolean, default: false })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  case: boolean = false;

  @ApiPropertyOptional({
    description: 'Text that lines do not contain; may be repeated',
    type: [String],
    example: ['healthz'],
  })
  @Optional()
  @Transform(queryList)
  @IsArray({ message: 'must be text' })
  @ArrayMaxSize(MAX_VALUES, { message: `may be given at most ${MAX_VALUES} times` })
  @IsString({ each: true, message: 'must be text' })
  @MaxLength(500, { each: true, message: 'must have at most 500 characters' })
  without?: string[];

  @ApiPropertyOptional({
    description: `Comma-separated levels: ${LEVELS.join(', ')}; none for lines without a level`,
    type: String,
    example: 'warn,error',
  })
  @Optional()
  @Transform(commaSeparated)
  @IsArray({ message: 'must be given once, as text' })
  @IsIn([...LEVELS, 'none'], { each: true, message: `must be one of ${LEVELS.join(', ')}, none` })
  level?: string[];

  @ApiPropertyOptional({
    description: `Comma-separated streams: ${STREAMS.join(', ')}. Lines of terminals, pods and node journals have no stream and never match`,
    type: String,
    example: 'stderr',
  })
  @Optional()
  @Transform(commaSeparated)
  @IsArray({ message: 'must be given once, as text' })
  @IsIn(STREAMS, { each: true, message: `must be one of ${STREAMS.join(', ')}` })
  stream?: string[];

  @ApiPropertyOptional({
    description: 'Field and its exact value, `name:value`; may be repeated',
    type: [String],
    example: ['status:504'],
  })
  @FieldPairs()
  field?: string[];

  @ApiPropertyOptional({
    description:
      'Field and the exact value that it does not have, `name:value`; may be repeated. Lines without the field match',
    type: [String],
    example: ['status:200'],
  })
  @FieldPairs()
  without_field?: string[];

  @SourceIds()
  sources?: string;

  @ApiPropertyOptional({
    description: 'Start time: RFC 3339, or relative (`15m`, `2h`, `7d`)',
    example: '15m',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(40, { message: 'must be a time' })
  from?: string;

  @ApiPropertyOptional({
    description: 'End time (exclusive), in the same formats',
    example: '2026-11-21T10:00:00Z',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(40, { message: 'must be a time' })
  to?: string;
}

/** A search. */
export class LineSearchDto extends LineFilterDto {
  @ApiPropertyOptional({
    description: 'Maximum matches, newest first',
    minimum: 1,
    maximum: MAX_MATCHES,
    default: 500,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MAX_MATCHES, { message: `must be at most ${MAX_MATCHES}` })
  limit: number = 500;

  @ApiPropertyOptional({
    description: 'Continues an earlier search: the value of its `before`',
    example: '1795254242117003.17.4212',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(/^\d{1,16}\.[1-9]\d{0,14}\.[1-9]\d{0,14}$/, {
    message: 'must be the `before` of an earlier search',
  })
  before?: string;

  @Longest()
  longest?: number;
}

/** Counts over time. */
export class HistogramQueryDto extends LineFilterDto {
  @ApiPropertyOptional({
    description: 'Number of buckets',
    minimum: 1,
    maximum: 1000,
    default: 60,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(1000, { message: 'must be at most 1000' })
  buckets: number = 60;
}

const EXPORT_FORMATS = ['text', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Exports lines as a file. */
export class ExportQueryDto extends LineFilterDto {
  @ApiPropertyOptional({
    description: 'text without terminal escape sequences, or one JSON object per line',
    enum: EXPORT_FORMATS,
    default: 'text',
  })
  @Optional()
  @IsIn(EXPORT_FORMATS, { message: `must be ${EXPORT_FORMATS.join(' or ')}` })
  format: ExportFormat = 'text';

  @ApiPropertyOptional({
    description: 'Whether the file is compressed with gzip',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  gzip: boolean = false;
}
