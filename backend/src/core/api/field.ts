import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';

type Constructor = new () => object;

/**
 * A field of an answer: documented, and let through. Answers are allow-listed: what a class does not
 * declare with this never leaves the server, whatever a service returned.
 */
export function Field(options: ApiPropertyOptions = {}): PropertyDecorator {
  return applyDecorators(ApiProperty(options), Expose());
}

/** A field that holds another answer class, or a list of them. */
export function NestedField(type: () => Constructor, options: ApiPropertyOptions = {}): PropertyDecorator {
  // The documentation tells a function from a class by the function's name, which must be `type`.
  const named = { type: () => type() };
  return applyDecorators(ApiProperty({ ...options, ...named } as ApiPropertyOptions), Expose(), Type(type));
}

/** A field whose value is passed on as it is, where its keys are data and not fields. */
export function OpenField(options: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(ApiProperty(options), Expose());
}
