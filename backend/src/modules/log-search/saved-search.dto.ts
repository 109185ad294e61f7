import { ApiProperty } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsString, Length, Matches, MaxLength } from 'class-validator';
import { Field } from '../../core/api/index.js';

export const MAX_NAME = 80;
export const MAX_QUERY = 2000;

/** A person's own words: no control characters, no marks that turn the direction of text. */
export const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]*$/u;

/** Spaces around a name are nobody's meaning. */
export function trimmed({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** What is saved of a search: a name, and the viewer's address after its question mark. */
export class SaveSearchDto {
  @ApiProperty({ example: 'Payments: timeouts', maxLength: MAX_NAME })
  @Transform(trimmed)
  @IsString({ message: 'must be text' })
  @Length(1, MAX_NAME, { message: `must have 1 to ${MAX_NAME} characters` })
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  name!: string;

  @ApiProperty({
    description: 'The query of the viewer’s address, without its question mark',
    example: 'q=timeout&level=error',
    maxLength: MAX_QUERY,
  })
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_QUERY, { message: `must have at most ${MAX_QUERY} characters` })
  @Matches(PRINTABLE, { message: 'must have no control characters' })
  query!: string;
}

export class SavedSearchDto {
  @Field({ example: 3 })
  id!: number;

  @Field({ example: 'Payments: timeouts' })
  name!: string;

  @Field({
    description: 'The query of the viewer’s address: `/logs?` and this',
    example: 'q=timeout&level=error',
  })
  query!: string;

  @Field({ format: 'date-time', example: '2026-11-22T08:00:00.000Z' })
  created_at!: string;
}

export class DeletedSearchDto {
  @Field({ example: 3, description: 'The one that was deleted' })
  id!: number;
}
