import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { Exposed } from './allow-list.js';

type Constructor = new () => object;

/** A documented field of a response. A field without this decorator never leaves the server. */
export function Field(options: ApiPropertyOptions = {}): PropertyDecorator {
  return applyDecorators(ApiProperty(options), Exposed());
}

/** A field that can be null. @nestjs/swagger cannot infer the type of such a field. */
export function NullableField(
  type: Constructor | (new () => unknown)[] | StringConstructor | NumberConstructor | BooleanConstructor,
  options: ApiPropertyOptions = {},
): PropertyDecorator {
  const { enum: values } = options;
  return Field({
    ...options,
    // In OpenAPI 3.0, `nullable` adds nothing to an enum.
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    type,
    nullable: true,
  } as ApiPropertyOptions);
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
  return applyDecorators(
    ApiProperty({ ...options, ...named } as ApiPropertyOptions),
    Exposed(type),
    Type(type),
  );
}
