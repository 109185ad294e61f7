import { Field, NestedField, NullableField } from '../../core/api/index.js';
import { LineDto } from '../log-lines/index.js';

const SEARCH_ENDS = ['complete', 'limit', 'timeout'] as const;
export type SearchReason = (typeof SEARCH_ENDS)[number];

export class SearchResultDto {
  @NestedField(() => LineDto, { isArray: true, description: 'Newest first' })
  matches!: LineDto[];

  @Field({ description: 'Number of searched lines', example: 120_000 })
  searched!: number;

  @Field({ example: 12 })
  matched!: number;

  @Field({
    enum: SEARCH_ENDS,
    enumName: 'SearchEnd',
    description:
      'complete: all lines were searched. limit: there may be more matches, because `limit` or the 8 MB of text of a JSON response was reached. timeout: the regex took too long',
  })
  reason!: SearchReason;

  @NullableField(String, {
    description:
      'If the search did not complete: the time back to which all matches were found; null if it completed, or if this is unknown',
    example: '2026-11-21T14:02:11.000000Z',
  })
  searched_to!: string | null;

  @NullableField(String, {
    description: 'Value of `before` to continue the search; null if it is complete',
    example: '1795254242117003.17.4212',
  })
  before!: string | null;
}

export type SearchStreamEvent =
  | { type: 'match'; line: LineDto }
  | { type: 'progress'; searched: number; time: string }
  | ({ type: 'end' } & Omit<SearchResultDto, 'matches'>);

export class HistogramBucketDto {
  @Field({ description: 'Start of the bucket', example: '2026-11-21T09:44:00.000000Z' })
  time!: string;

  @Field({ example: 812 })
  total!: number;

  @Field({
    description: 'By level; `none` for lines without a level',
    type: 'object',
    additionalProperties: { type: 'number' },
    example: { info: 800, error: 12 },
  })
  levels!: Record<string, number>;
}

export class HistogramDto {
  @Field({ example: '2026-11-21T09:00:00.000000Z' })
  from!: string;

  @Field({ example: '2026-11-21T10:00:00.000000Z' })
  to!: string;

  @Field({ description: 'Length of a bucket in seconds', example: 60 })
  bucket_seconds!: number;

  @NestedField(() => HistogramBucketDto, { isArray: true })
  buckets!: HistogramBucketDto[];

  @Field({ enum: ['complete', 'timeout'], description: 'timeout: the regex took too long' })
  reason!: 'complete' | 'timeout';
}
