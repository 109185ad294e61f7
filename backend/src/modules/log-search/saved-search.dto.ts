import { Transform, type TransformFnParams } from 'class-transformer';
import { Matches } from 'class-validator';
import { Field, Text } from '../../core/api/index.js';

export const MAX_NAME = 80;
const MAX_QUERY = 2000;

/** Text without control characters and direction marks. */
export const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]*$/u;

export function trimmed({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** A saved search: a name, and the query string of the log viewer. */
export class SaveSearchDto {
  @Text({ example: 'Payments: timeouts', minLength: 1, maxLength: MAX_NAME })
  @Transform(trimmed)
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  name!: string;

  @Text({
    description: 'Query string of the log viewer, without the question mark',
    example: 'q=timeout&level=error',
    maxLength: MAX_QUERY,
  })
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  query!: string;
}

export class SavedSearchDto {
  @Field({ example: 3 })
  id!: number;

  @Field({ example: 'Payments: timeouts' })
  name!: string;

  @Field({
    description: 'Query string of the log viewer: open `/logs?` followed by it',
    example: 'q=timeout&level=error',
  })
  query!: string;

  @Field({ format: 'date-time', example: '2026-11-22T08:00:00.000Z' })
  created_at!: string;
}

export class DeletedSearchDto {
  @Field({ example: 3, description: 'Id of the deleted search' })
  id!: number;
}
