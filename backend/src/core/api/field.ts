import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';

type Constructor = new () => object;

const OPEN_FIELDS = Symbol('open fields');

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

/**
 * A field whose value is passed on as it is, where its keys are data and not fields. At the top of an answer it is not
 * even looked at: the serializer takes a second for a schema of 30,000 keys.
 */
export function OpenField(options: ApiPropertyOptions): PropertyDecorator {
  const remember: PropertyDecorator = (target, name) => {
    const known = openFieldsOf(target.constructor);
    Reflect.defineMetadata(OPEN_FIELDS, [...known, String(name)], target.constructor);
  };
  return applyDecorators(ApiProperty(options), Expose(), remember);
}

/** Names of the open fields of an answer class. */
export function openFieldsOf(type: object): readonly string[] {
  return (Reflect.getMetadata(OPEN_FIELDS, type) as string[] | undefined) ?? [];
}
