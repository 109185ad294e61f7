import { Field, NestedField, OpenField } from '../../core/api/index.js';
import { LineDto } from '../log-lines/index.js';

export const SEARCH_ENDS = ['complete', 'limit', 'timeout'] as const;
export type SearchReason = (typeof SEARCH_ENDS)[number];

/** What a search found, all at once. */
export class SearchResultDto {
  @NestedField(() => LineDto, { isArray: true, description: 'The newest first' })
  matches!: LineDto[];

  @Field({ description: 'Lines that were looked at', example: 120_000 })
  searched!: number;

  @Field({ example: 12 })
  matched!: number;

  @Field({
    enum: SEARCH_ENDS,
    enumName: 'SearchEnd',
    description:
      'complete: everything was looked at. limit: there may be more, beyond as many as were asked for, or beyond the 8 MB of texts that an answer of JSON has at most. timeout: the expression took too long',
  })
  reason!: SearchReason;

  @Field({
    type: String,
    nullable: true,
    description:
      'How far back every match was reported, if the search did not complete; null if it did, or if it ended before that was known',
    example: '2026-11-21T14:02:11.000000Z',
  })
  searched_to!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'With this as `before` a search goes on; null where there is nothing more',
    example: '1795254242117003.17.4212',
  })
  before!: string | null;
}

/** An event of a search, as the API streams it. */
export type ToldSearchEvent =
  | { type: 'match'; line: LineDto }
  | { type: 'progress'; searched: number; time: string }
  | {
      type: 'end';
      searched: number;
      matched: number;
      reason: SearchReason;
      searched_to: string | null;
      before: string | null;
    };

/** Lines of a span of time. */
export class HistogramBucketDto {
  @Field({ description: 'Its begin', example: '2026-11-21T09:44:00.000000Z' })
  time!: string;

  @Field({ example: 812 })
  total!: number;

  @OpenField({
    description: 'By level; `none` for lines that name none',
    type: 'object',
    additionalProperties: { type: 'number' },
    example: { info: 800, error: 12 },
  })
  levels!: Record<string, number>;
}

/** How many lines there are, over time. */
export class HistogramDto {
  @Field({ example: '2026-11-21T09:00:00.000000Z' })
  from!: string;

  @Field({ example: '2026-11-21T10:00:00.000000Z' })
  to!: string;

  @Field({ description: 'Length of each', example: 60 })
  bucket_seconds!: number;

  @NestedField(() => HistogramBucketDto, { isArray: true })
  buckets!: HistogramBucketDto[];

  @Field({ enum: ['complete', 'timeout'], description: 'timeout: the expression took too long' })
  reason!: 'complete' | 'timeout';
}
