import { applyDecorators } from '@nestjs/common';
import { Matches } from 'class-validator';
import { Field, NestedField, NullableField, OptionalText, QueryInteger } from '../../core/api/index.js';
import { MAX_LINE_LENGTH } from '../../drivers/log-store/index.js';
import { LineDto, type WireLine } from '../log-lines/index.js';

const MAX_LINES = 5000;
/** The value of `ResponseLimits`. */
const PAGE_SIZE = '8 MB';

/** A line of a merged page: its source, followed by the fields of the socket format. */
export type WireMergedLine = [source: number, ...WireLine];

export const Longest = (): PropertyDecorator =>
  QueryInteger({
    description:
      'Maximum characters per line. Longer lines are shortened and marked. Read the single line for the full text.',
    minimum: 1,
    maximum: MAX_LINE_LENGTH,
    example: 4000,
  });

export const SourceIds = (): PropertyDecorator =>
  applyDecorators(
    OptionalText({
      description: 'Comma-separated source ids; default: all sources',
      example: '17,21',
      maxLength: 20_000,
    }),
    Matches(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, { message: 'must be comma-separated source ids' }),
  );

/** Marks a page that ended early because of its size. */
function EndedEarly(next: string): PropertyDecorator {
  return Field({
    description: `true if the page was cut at ${PAGE_SIZE} of text: ${next}. Absent otherwise.`,
    required: false,
    type: Boolean,
    example: true,
  });
}

export class LinePageDto {
  @Field({ example: 17 })
  source!: number;

  @NestedField(() => LineDto, { isArray: true, description: 'In order' })
  lines!: LineDto[];

  @Field({ description: 'Number of the oldest stored line', example: 1 })
  first_seq!: number;

  @Field({ description: 'Number of the next line', example: 4213 })
  next_seq!: number;

  @EndedEarly('continue before its first line, or after its last one')
  ended_early?: true;
}

/** A field of a line. */
export class LineFieldDto {
  @Field({ example: 'status' })
  name!: string;

  @Field({ example: '504' })
  value!: string;
}

export class LineDetailDto extends LineDto {
  @NullableField(String, { enum: ['json', 'logfmt', 'access'], example: 'logfmt' })
  format!: 'json' | 'logfmt' | 'access' | null;

  @Field({
    description:
      'Fields of a JSON or logfmt line, or of an access log, by name; nested fields have dotted names',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { status: '504', upstream: 'payments' },
  })
  fields!: Record<string, string>;

  @NestedField(() => LineFieldDto, {
    isArray: true,
    description:
      'The same as a list, also with fields that share a name: `a.b` and `b` in `a`. `field` takes each as `name:value`',
  })
  pairs!: LineFieldDto[];

  @Field({ description: 'Position among all lines of the source', example: 4212 })
  position!: number;
}

/** Lines of several sources in one order: by time, then by source. */
export class MergedPageDto {
  @Field({ description: 'Position of the first line in the merged order', example: 120_000 })
  position!: number;

  @Field({ description: 'Position of the oldest stored line', example: 1 })
  first!: number;

  @Field({ description: 'Position of the next line', example: 130_001 })
  end!: number;

  @Field({
    description:
      'Each line is an array of source, number, time (microseconds since the epoch), stream (0 unknown, 1 stdout, 2 stderr), level or null, text, and flags (1: continues the previous line; 2: cut when it was collected; 4: shortened to `longest`)',
    type: 'array',
    items: { type: 'array', minItems: 7, maxItems: 7, items: {} },
    example: [[17, 4212, 1_795_254_242_117_003, 2, 'error', 'upstream timeout', 0]],
  })
  lines!: WireMergedLine[];

  @EndedEarly('continue at `position` plus the number of lines')
  ended_early?: true;
}

const Place = (description: string): PropertyDecorator =>
  QueryInteger({ description, minimum: 0, example: 4212 });

const Limit = (): PropertyDecorator =>
  QueryInteger({ description: 'Maximum lines', minimum: 1, maximum: MAX_LINES, default: 200 });

/** Selects lines of a source: at most one position; the newest lines without one. */
export class LinesQueryDto {
  @Place('Return lines before this one')
  before?: number;

  @Place('Return lines after this one')
  after?: number;

  @Place('Return lines around this one')
  around?: number;

  @Limit()
  limit: number = 200;

  @Longest()
  longest?: number;
}

/** Selects merged lines: at most one of position, time and line; the newest lines without one. */
export class MergedQueryDto {
  @SourceIds()
  sources?: string;

  @Place('Position of the first line')
  position?: number;

  @OptionalText({
    description: 'Time in the middle of the page: RFC 3339, or microseconds since the epoch',
    example: '2026-11-21T09:44:02.117003Z',
    maxLength: 40,
  })
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
