import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsString, Matches, MaxLength } from 'class-validator';
import { Optional, OptionalText, QueryFlag, QueryInteger } from '../../core/api/index.js';
import { MAX_QUERY } from '../../core/search/index.js';
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
function FieldPairs(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    MaxLength(1000, { each: true, message: 'must have at most 1,000 characters' }),
    Matches(FIELD_PAIR, { each: true, message: 'must be name:value' }),
    ArrayMaxSize(MAX_VALUES, { message: `may be given at most ${MAX_VALUES} times` }),
    IsArray({ message: 'must be name:value' }),
    Transform(queryList),
    Optional(),
    ApiPropertyOptional({ description, type: [String], example: [example] }),
  );
}

export class LineFilterDto {
  @OptionalText({
    description:
      'Conditions in the query language of the log board; each of them and the other parameters must hold',
    example: 'level:error timeout -healthz',
    maxLength: MAX_QUERY,
  })
  query?: string;

  @OptionalText({ description: 'Text that lines contain', example: 'timeout', maxLength: 2000 })
  q?: string;

  @QueryFlag({ description: 'Whether `q` is a JavaScript regular expression' })
  regex: boolean = false;

  @QueryFlag({ description: 'Whether `q` is case-sensitive' })
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

  @FieldPairs('Field and its exact value, `name:value`; may be repeated', 'status:504')
  field?: string[];

  @FieldPairs(
    'Field and the exact value that it does not have, `name:value`; may be repeated. Lines without the field match',
    'status:200',
  )
  without_field?: string[];

  @SourceIds()
  sources?: string;

  @OptionalText({
    description: 'Start time: RFC 3339, or relative (`15m`, `2h`, `7d`)',
    example: '15m',
    maxLength: 40,
  })
  from?: string;

  @OptionalText({
    description: 'End time (exclusive), in the same formats',
    example: '2026-11-21T10:00:00Z',
    maxLength: 40,
  })
  to?: string;
}

export class LineSearchDto extends LineFilterDto {
  @QueryInteger({
    description: 'Maximum matches, newest first',
    minimum: 1,
    maximum: MAX_MATCHES,
    default: 500,
  })
  limit: number = 500;

  @OptionalText({
    description: 'Continues an earlier search: the value of its `before`',
    example: '1795254242117003.17.4212',
  })
  @Matches(/^\d{1,16}\.[1-9]\d{0,14}\.[1-9]\d{0,14}$/, {
    message: 'must be the `before` of an earlier search',
  })
  before?: string;

  @Longest()
  longest?: number;
}

export class HistogramQueryDto extends LineFilterDto {
  @QueryInteger({ description: 'Number of buckets', minimum: 1, maximum: 1000, default: 60 })
  buckets: number = 60;
}

const EXPORT_FORMATS = ['text', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export class ExportQueryDto extends LineFilterDto {
  @ApiPropertyOptional({
    description: 'text without terminal escape sequences, or one JSON object per line',
    enum: EXPORT_FORMATS,
    default: 'text',
  })
  @Optional()
  @IsIn(EXPORT_FORMATS, { message: `must be ${EXPORT_FORMATS.join(' or ')}` })
  format: ExportFormat = 'text';

  @QueryFlag({ description: 'Whether the file is compressed with gzip' })
  gzip: boolean = false;
}
