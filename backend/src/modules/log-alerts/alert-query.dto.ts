import { applyDecorators } from '@nestjs/common';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';
import { Exposed, Field, Flag, NullableField, OptionalText } from '../../core/api/index.js';
import { MAX_QUERY } from '../../core/search/index.js';
import { LEVELS, type Level } from '../../drivers/log-store/index.js';
import { FIELD_PAIR } from '../log-lines/index.js';
import { PRINTABLE } from '../log-search/index.js';

const MAX_TEXT = 1000;
const MAX_PARTS = 10;
const ANY_LEVEL = [...LEVELS, 'none'] as const;
const LEVELS_PROBLEM = `must be a list of ${ANY_LEVEL.join(', ')}`;
const TEXTS_PROBLEM = `must be at most ${MAX_PARTS} texts of 1 to ${MAX_TEXT} characters without line breaks`;

/** Text that a line can contain. */
function LineText(message: string, each = false): PropertyDecorator {
  return applyDecorators(
    IsString({ each, message }),
    Length(1, MAX_TEXT, { each, message }),
    Matches(/^[^\n\r\u0000]*$/, { each, message }),
  );
}

function LineTexts(description: string, example: string): PropertyDecorator {
  return applyDecorators(
    Field({ required: false, type: [String], description, example: [example] }),
    LineText(TEXTS_PROBLEM, true),
    ArrayMaxSize(MAX_PARTS, { message: TEXTS_PROBLEM }),
    IsArray({ message: TEXTS_PROBLEM }),
  );
}

function FieldPairs(description: string, example: string): PropertyDecorator {
  const message = 'must each be name:value, such as status:504';
  return applyDecorators(Matches(FIELD_PAIR, { each: true, message }), LineTexts(description, example));
}

function SourceText(options: { description?: string; example: string }): PropertyDecorator {
  return applyDecorators(
    Exposed(),
    OptionalText({ ...options, maxLength: 253 }),
    Matches(PRINTABLE, { message: 'must have no control characters' }),
  );
}

/** Which lines count. All conditions must match; without conditions, every line counts. */
export class AlertQueryDto {
  @Field({
    required: false,
    description: 'Conditions in the query language of the log board, in addition',
    example: 'status>=500 -path:healthz',
    maxLength: MAX_QUERY,
  })
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_QUERY, { message: `must have at most ${MAX_QUERY} characters` })
  query: string = '';

  @NullableField(String, {
    required: false,
    description: 'Text that the line contains, or a regular expression',
    example: 'upstream timeout',
    maxLength: MAX_TEXT,
  })
  @ValidateIf((_object, value) => value !== null)
  @LineText(`must be text of 1 to ${MAX_TEXT} characters without line breaks`)
  text: string | null = null;

  @Exposed()
  @Flag({ description: 'Whether the text is a regular expression' })
  regex: boolean = false;

  @Exposed()
  @Flag({ description: 'Whether the search is case-sensitive' })
  case: boolean = false;

  @LineTexts('Texts that the line must not contain', 'health check')
  without: readonly string[] = [];

  @Field({
    required: false,
    isArray: true,
    enum: ANY_LEVEL,
    description: 'Any of these levels; `none` matches lines without a level',
    example: ['error', 'fatal'],
  })
  @IsArray({ message: LEVELS_PROBLEM })
  @ArrayMaxSize(ANY_LEVEL.length, { message: LEVELS_PROBLEM })
  @IsIn(ANY_LEVEL, { each: true, message: LEVELS_PROBLEM })
  level: readonly (Level | 'none')[] = [];

  @FieldPairs('Fields of a JSON or logfmt line, each as `name:value`', 'status:504')
  field: readonly string[] = [];

  @FieldPairs('Fields that the line must not have, each as `name:value`', 'method:OPTIONS')
  without_field: readonly string[] = [];
}

/** Which sources are read. Missing fields match all; `*` is a wildcard. */
export class AlertSourcesDto {
  @SourceText({ description: 'Engine', example: 'docker' })
  runtime?: string;

  @SourceText({ example: 'payments-dev' })
  cluster?: string;

  @SourceText({ example: 'payments' })
  namespace?: string;

  @SourceText({ description: 'Name, with or without the kind', example: 'Deployment/payments-api' })
  workload?: string;

  @SourceText({ description: 'Name of the container, pod or node', example: 'payments-api-*' })
  name?: string;
}
