import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { Field, NestedField, OptionalText } from '../../core/api/index.js';
import { LineDto } from '../log-lines/index.js';
import { LineFilterDto } from './search-request.dto.js';

/** Parts of the curve of a pattern. */
export const CURVE_PARTS = 24;

export class FieldValuesQueryDto extends LineFilterDto {
  @ApiProperty({ description: 'Name of the field whose values are counted', example: 'status' })
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  name!: string;
}

export class CompletionsQueryDto extends LineFilterDto {
  @OptionalText({
    description: 'Name whose values are listed; names are listed without it',
    example: 'status',
    maxLength: 1000,
  })
  name?: string;

  @OptionalText({
    description: 'How the name or the value begins, in any case',
    example: '50',
    maxLength: 200,
  })
  begin?: string;
}

export class LinePatternsQueryDto extends LineFilterDto {
  @OptionalText({
    description:
      'Only patterns that no earlier line has that meets the conditions: since a time, in the formats of `from`, which it replaces',
    example: '1h',
    maxLength: 40,
  })
  new_since?: string;
}

/** The lines that the groups were made of. */
class ExaminedDto {
  @Field({
    description:
      'Number of matching lines that were examined, newest first. At most 20,000, or 32 MB of text',
    example: 20_000,
  })
  examined!: number;

  @Field({
    enum: ['complete', 'limit', 'timeout'],
    description:
      'complete: all matching lines were examined. limit: there may be older ones. timeout: the regex took too long',
  })
  reason!: 'complete' | 'limit' | 'timeout';

  @Field({ description: 'Number of examined lines in no listed group', example: 12 })
  others!: number;
}

export class LinePatternDto {
  @Field({
    description: 'Message with `*` instead of numbers, ids, times and quoted values',
    example: 'GET /orders/* took *',
  })
  pattern!: string;

  @Field({ example: 812 })
  count!: number;

  @Field({
    description: 'Regex that finds lines with the pattern; empty if nothing in it is constant',
    example: 'GET /orders/.+? took ',
  })
  regex!: string;

  @Field({ description: 'Longest constant text, for `without`', example: 'GET /orders/' })
  text!: string;

  @NestedField(() => LineDto, { description: 'The newest line, shortened' })
  example!: LineDto;

  @Field({
    description: `Examined lines with the pattern in ${CURVE_PARTS} equal parts of the time between \`from\` and \`to\` of the response`,
    type: [Number],
    example: [0, 3, 12],
  })
  counts!: number[];
}

export class LinePatternsDto extends ExaminedDto {
  @NestedField(() => LinePatternDto, {
    isArray: true,
    description: 'Those of errors first, then the most frequent ones; at most 100, or 40 with `new_since`',
  })
  patterns!: LinePatternDto[];

  @Field({ example: '2026-11-21T09:00:00.000000Z' })
  from!: string;

  @Field({ example: '2026-11-21T10:00:00.000000Z' })
  to!: string;
}

export class FieldValueDto {
  @Field({ example: '504' })
  value!: string;

  @Field({ example: 17 })
  count!: number;
}

export class FieldValuesDto extends ExaminedDto {
  @NestedField(() => FieldValueDto, { isArray: true, description: 'Most frequent first, at most 50' })
  values!: FieldValueDto[];

  @Field({ description: 'Number of examined lines without the field', example: 40 })
  without!: number;
}

export class CompletionsDto {
  @Field({
    description: 'Number of matching lines that were examined, newest first. At most 2,000',
    example: 2000,
  })
  examined!: number;

  @NestedField(() => FieldValueDto, {
    isArray: true,
    description: 'Names or values with their number of examined lines. Most frequent first, at most 20',
  })
  completions!: FieldValueDto[];
}
