import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';

type Constructor = new () => object;

const OPEN_FIELDS = Symbol('open fields');

/** A documented field of a response. A field without this decorator never leaves the server. */
export function Field(options: ApiPropertyOptions = {}): PropertyDecorator {
  return applyDecorators(ApiProperty(options), Expose());
}

/** A field that can be null. @nestjs/swagger cannot infer the type of such a field. */
export function NullableField(
  type: Constructor | (new () => unknown)[] | StringConstructor | NumberConstructor | BooleanConstructor,
  options: ApiPropertyOptions = {},
): PropertyDecorator {
  return Field({ ...options, type, nullable: true } as ApiPropertyOptions);
}

/** Where @nestjs/swagger keeps the documentation of a field. */
const DOCUMENTATION = 'swagger/apiModelProperties';

/** Documents inherited fields as always present: a request may omit them, this response does not. */
export function AlwaysPresent(...fields: readonly string[]): ClassDecorator {
  return ({ prototype }) => {
    for (const field of fields) {
      const inherited = Reflect.getMetadata(DOCUMENTATION, prototype as object, field) as ApiPropertyOptions;
      Reflect.defineMetadata(DOCUMENTATION, { ...inherited, required: true }, prototype as object, field);
    }
  };
}

/** A field that holds another response class, or a list of them. */
export function NestedField(type: () => Constructor, options: ApiPropertyOptions = {}): PropertyDecorator {
  // @nestjs/swagger recognizes the function by its name, which must be `type`.
  const named = { type: () => type() };
  return applyDecorators(ApiProperty({ ...options, ...named } as ApiPropertyOptions), Expose(), Type(type));
}

/**
 * A field whose value is sent unchanged because its keys are data. The serializer skips it at the top of a response: it
 * takes a second for a schema of 30,000 keys.
 */
export function OpenField(options: ApiPropertyOptions): PropertyDecorator {
  const remember: PropertyDecorator = (target, name) => {
    const known = openFieldsOf(target.constructor);
    Reflect.defineMetadata(OPEN_FIELDS, [...known, String(name)], target.constructor);
  };
  return applyDecorators(ApiProperty(options), Expose(), remember);
}

/** Names of the open fields of a response class. */
export function openFieldsOf(type: object): readonly string[] {
  return (Reflect.getMetadata(OPEN_FIELDS, type) as string[] | undefined) ?? [];
}
