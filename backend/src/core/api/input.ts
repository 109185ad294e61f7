import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, isRFC3339, IsRFC3339, IsString, Length, Max, Min } from 'class-validator';
import { Optional } from './optional.js';

interface Docs<Value> {
  description?: string;
  example?: Value;
  default?: Value;
  required?: boolean;
}

interface TextDocs extends Docs<string> {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  nullable?: boolean;
}

interface IntegerDocs extends Docs<number> {
  minimum: number;
  maximum?: number;
}

export function Text(options: TextDocs = {}): PropertyDecorator {
  const { minLength = 0, maxLength } = options;
  const most = maxLength?.toLocaleString('en');
  const message = `must have ${minLength > 0 ? `${minLength} to ${most}` : `at most ${most}`} characters`;
  return applyDecorators(
    ApiProperty({ type: String, ...options }),
    IsString({ message: 'must be a single string' }),
    ...(maxLength === undefined ? [] : [Length(minLength, maxLength, { message })]),
  );
}

export function OptionalText(options: TextDocs = {}): PropertyDecorator {
  return applyDecorators(Text({ ...options, required: false }), Optional());
}

/** A whole number of a body. */
export function Integer(options: IntegerDocs): PropertyDecorator {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = options;
  const range =
    options.maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${options.maximum}`;
  const message = `must be a whole number ${range}`;
  return applyDecorators(
    ApiProperty({ type: Number, ...options }),
    IsInt({ message }),
    Min(minimum, { message }),
    Max(maximum, { message }),
  );
}

export function OptionalInteger(options: IntegerDocs): PropertyDecorator {
  return applyDecorators(Integer({ ...options, required: false }), Optional());
}

/** An optional whole number of a query. */
export function QueryInteger(options: IntegerDocs): PropertyDecorator {
  // The validator rejects other values. `Number('')` and `Number(['5'])` would pass it.
  return applyDecorators(
    OptionalInteger(options),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value,
    ),
  );
}

/** An optional boolean of a body. */
export function Flag(options: Docs<boolean> = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: Boolean, default: false, ...options, required: false }),
    IsBoolean({ message: 'must be true or false' }),
    Optional(),
  );
}

/** An optional boolean of a query. */
export function QueryFlag(options: Docs<boolean> = {}): PropertyDecorator {
  return applyDecorators(
    Flag(options),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
  );
}

/** An optional RFC 3339 time of a query. */
export function QueryTime(options: Docs<string> & { example: string }): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ type: String, ...options, required: false }),
    IsRFC3339({ message: `must be an RFC 3339 time, such as ${options.example}` }),
    Transform(({ value }: { value: unknown }) => toUtc(value)),
    Optional(),
  );
}

/** Converts an RFC 3339 time to UTC with milliseconds, as times are stored. The validator rejects the rest. */
export function toUtc(value: unknown): unknown {
  if (!isRFC3339(value)) return value;
  const at = Date.parse(value as string);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
