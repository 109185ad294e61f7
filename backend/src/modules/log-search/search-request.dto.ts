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

/** Most matches of one answer; who wants more goes on from the last one, or exports. */
export const MOST_MATCHES = 10_000;
const MOST_TEXTS = 20;

/** A query holds a name once or several times. */
function queryList({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? [value] : (value as unknown);
}

function queryNames({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.split(',') : value;
}

/** Fields with their values. Of several rules that are broken the first is told. */
function FieldPairs(): PropertyDecorator {
  return (target, property) => {
    MaxLength(1000, { each: true, message: 'must have at most 1,000 characters' })(target, property);
    Matches(FIELD_PAIR, { each: true, message: 'must be name:value' })(target, property);
    ArrayMaxSize(MOST_TEXTS, { message: `may be given ${MOST_TEXTS} times` })(target, property);
    IsArray({ message: 'must be name:value' })(target, property);
    Transform(queryList)(target, property);
    Optional()(target, property);
  };
}

/** What lines have to be like. */
export class LineFilterDto {
  @ApiPropertyOptional({ description: 'Text that they hold', example: 'timeout' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(2000, { message: 'must have at most 2,000 characters' })
  q?: string;

  @ApiPropertyOptional({
    description: 'Whether that is a regular expression of JavaScript',
    type: Boolean,
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  regex: boolean = false;

  @ApiPropertyOptional({ description: 'Whether its case counts', type: Boolean, default: false })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  case: boolean = false;

  @ApiPropertyOptional({
    description: 'Text that they do not hold; may be given several times',
    type: [String],
    example: ['healthz'],
  })
  @Optional()
  @Transform(queryList)
  @IsArray({ message: 'must be text' })
  @ArrayMaxSize(MOST_TEXTS, { message: `may be given ${MOST_TEXTS} times` })
  @IsString({ each: true, message: 'must be text' })
  @MaxLength(500, { each: true, message: 'must have at most 500 characters' })
  without?: string[];

  @ApiPropertyOptional({
    description: `Levels with commas between: ${LEVELS.join(', ')}; none for lines that name none`,
    type: String,
    example: 'warn,error',
  })
  @Optional()
  @Transform(queryNames)
  @IsArray({ message: 'must be given once, as text' })
  @IsIn([...LEVELS, 'none'], { each: true, message: `must be of ${LEVELS.join(', ')}, none` })
  level?: string[];

  @ApiPropertyOptional({
    description: `Where they were written: ${STREAMS.join(' or ')}, or both with a comma between. Lines without a stream, which are those of terminals, pods and nodes’ journals, are neither`,
    type: String,
    example: 'stderr',
  })
  @Optional()
  @Transform(queryNames)
  @IsArray({ message: 'must be given once, as text' })
  @IsIn(STREAMS, { each: true, message: `must be of ${STREAMS.join(', ')}` })
  stream?: string[];

  @ApiPropertyOptional({
    description: 'A field and its whole value, `name:value`; may be given several times',
    type: [String],
    example: ['status:504'],
  })
  @FieldPairs()
  field?: string[];

  @ApiPropertyOptional({
    description:
      'A field and the whole value that it does not have, `name:value`; may be given several times. Lines without such a field are found',
    type: [String],
    example: ['status:200'],
  })
  @FieldPairs()
  without_field?: string[];

  @SourceIds()
  sources?: string;

  @ApiPropertyOptional({
    description: 'From this time on: RFC 3339, or how long ago (`15m`, `2h`, `7d`)',
    example: '15m',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(40, { message: 'must be a time' })
  from?: string;

  @ApiPropertyOptional({
    description: 'Before this time, in the same forms',
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
    description: 'Most matches, the newest',
    minimum: 1,
    maximum: MOST_MATCHES,
    default: 500,
    type: Number,
  })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(MOST_MATCHES, { message: `must be at most ${MOST_MATCHES}` })
  limit: number = 500;

  @ApiPropertyOptional({
    description: 'Goes on behind an earlier search: what its `before` was',
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
  @ApiPropertyOptional({ description: 'How many', minimum: 1, maximum: 1000, default: 60, type: Number })
  @Optional()
  @Transform(queryInteger)
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be at least 1' })
  @Max(1000, { message: 'must be at most 1000' })
  buckets: number = 60;
}

export const EXPORT_FORMATS = ['text', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Lines as a file. */
export class ExportQueryDto extends LineFilterDto {
  @ApiPropertyOptional({
    description: 'text without the escapes of terminals, or an object of JSON for each line',
    enum: EXPORT_FORMATS,
    default: 'text',
  })
  @Optional()
  @IsIn(EXPORT_FORMATS, { message: `must be ${EXPORT_FORMATS.join(' or ')}` })
  format: ExportFormat = 'text';

  @ApiPropertyOptional({ description: 'Whether the file is packed', type: Boolean, default: false })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  gzip: boolean = false;
}
