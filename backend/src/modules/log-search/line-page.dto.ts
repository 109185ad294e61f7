import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Field, NestedField, OpenField, Optional } from '../../core/api/index.js';
import { queryInteger } from '../../core/api/query-integer.js';
import { MAX_LINE_LENGTH } from '../../drivers/log-store/index.js';
import { LineDto, type WireLine } from '../log-lines/index.js';

/** Most lines of one answer. */
export const MOST_LINES = 5000;
/** As `ResponseLimits` has it. */
const PAGE_SIZE = '8 MB';

/** A line of a merged page: its source, and then as on the socket. */
export type WireMergedLine = [source: number, ...WireLine];

/** Characters of each text that a list wants. */
export function Longest(): PropertyDecorator {
  return (target, key) => {
    ApiPropertyOptional({
      description:
        'Most characters of a text. Of a longer one the begin is told, and that it is one; the line by itself has all of it',
      minimum: 1,
      maximum: MAX_LINE_LENGTH,
      type: Number,
      example: 4000,
    })(target, key);
    Optional()(target, key);
    Transform(queryInteger)(target, key);
    IsInt({ message: 'must be a whole number' })(target, key);
    Min(1, { message: 'must be at least 1' })(target, key);
    Max(MAX_LINE_LENGTH, { message: `must be at most ${MAX_LINE_LENGTH}` })(target, key);
  };
}

/** Ids of sources. Of several rules that are broken the first is told. */
export function SourceIds(): PropertyDecorator {
  return (target, key) => {
    Matches(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, { message: 'must be ids of sources with commas between' })(
      target,
      key,
    );
    MaxLength(20_000, { message: 'must have at most 20,000 characters' })(target, key);
    IsString({ message: 'must be given once, as text' })(target, key);
    Optional()(target, key);
    ApiPropertyOptional({
      description: 'Ids with commas between; without it all of them',
      type: String,
      example: '17,21',
    })(target, key);
  };
}

/** Where a page says that it is not all that was asked for. */
function EndedEarly(goesOn: string): PropertyDecorator {
  return Field({
    description: `There, and true, where the page ended early because its texts have ${PAGE_SIZE}: ${goesOn}`,
    required: false,
    type: Boolean,
    example: true,
  });
}

/** Lines of one source. */
export class LinePageDto {
  @Field({ example: 17 })
  source!: number;

  @NestedField(() => LineDto, { isArray: true, description: 'In their order' })
  lines!: LineDto[];

  @Field({ description: 'Oldest line that is kept', example: 1 })
  first_seq!: number;

  @Field({ description: 'Number that the next new line will have', example: 4213 })
  next_seq!: number;

  @EndedEarly('go on before its first line, or after its last one')
  ended_early?: true;
}

/** A line, and what it says in a form that programs read. */
export class LineDetailDto extends LineDto {
  @Field({ type: String, enum: ['json', 'logfmt'], nullable: true, example: 'logfmt' })
  format!: 'json' | 'logfmt' | null;

  @OpenField({
    description: 'Fields of JSON or of logfmt by name; those within objects under names with dots',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { status: '504', upstream: 'payments' },
  })
  fields!: Record<string, string>;

  @Field({ description: 'Its position among all lines of its source', example: 4212 })
  position!: number;
}

/** Lines of several sources in one order: by time, then by source. */
export class MergedPageDto {
  @Field({ description: 'Position of the first of these lines in the merge', example: 120_000 })
  position!: number;

  @Field({ description: 'Position of the oldest line that is kept', example: 1 })
  first!: number;

  @Field({ description: 'Position that the next new line will have', example: 130_001 })
  end!: number;

  @OpenField({
    description:
      'Each is a list of source, number, time (microseconds since the epoch), stream (0 unknown, 1 stdout, 2 stderr), level or null, text, and flags (1: belongs to the line before it; 2: cut when it was taken in; 4: the begin of a text longer than was asked for)',
    type: 'array',
    items: { type: 'array', minItems: 7, maxItems: 7, items: {} },
    example: [[17, 4212, 1_795_254_242_117_003, 2, 'error', 'upstream timeout', 0]],
  })
  lines!: WireMergedLine[];

  @EndedEarly('go on at its position and as many as it has lines')
  ended_early?: true;
}

function Place(description: string): PropertyDecorator {
  return (target, key) => {
    ApiPropertyOptional({ description, minimum: 0, type: Number, example: 4212 })(target, key);
    Optional()(target, key);
    Transform(queryInteger)(target, key);
    IsInt({ message: 'must be a whole number' })(target, key);
    Min(0, { message: 'must not be negative' })(target, key);
  };
}

function Limit(): PropertyDecorator {
  return (target, key) => {
    ApiPropertyOptional({
      description: 'Most lines',
      minimum: 1,
      maximum: MOST_LINES,
      default: 200,
      type: Number,
    })(target, key);
    Optional()(target, key);
    Transform(queryInteger)(target, key);
    IsInt({ message: 'must be a whole number' })(target, key);
    Min(1, { message: 'must be at least 1' })(target, key);
    Max(MOST_LINES, { message: `must be at most ${MOST_LINES}` })(target, key);
  };
}

/** Which lines of a source are wanted: at most one of the places, and without any of them the newest. */
export class LinesQueryDto {
  @Place('Lines before this one')
  before?: number;

  @Place('Lines after this one')
  after?: number;

  @Place('This line, with as many before it as after it')
  around?: number;

  @Limit()
  limit: number = 200;

  @Longest()
  longest?: number;
}

/** Which part of a merge is wanted: at most one of a position, a time and a line, and without any of them the end. */
export class MergedQueryDto {
  @SourceIds()
  sources?: string;

  @Place('Position of the first line that is wanted')
  position?: number;

  @ApiPropertyOptional({
    description: 'A time in the middle of the page: RFC 3339, or microseconds since the epoch',
    example: '2026-11-21T09:44:02.117003Z',
  })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(40, { message: 'must be a time' })
  at?: string;

  @Place('Source of the line in the middle of the page')
  source?: number;

  @Place('Number of that line')
  seq?: number;

  @Limit()
  limit: number = 200;

  @Longest()
  longest?: number;
}
