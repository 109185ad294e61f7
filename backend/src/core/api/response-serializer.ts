import { ClassSerializerInterceptor, Injectable, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import * as transformerPackage from 'class-transformer';
import { openFieldsOf } from './field.js';

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];

/**
 * Sends the fields that the response class declares. A route with two kinds of response returns the second one as an
 * instance of its class, which then decides; Nest would treat it as an incomplete instance of the first one.
 */
@Injectable()
export class ResponseSerializer extends ClassSerializerInterceptor {
  constructor(reflector: Reflector) {
    // The copy that the response classes are declared with; Nest would load its own.
    super(reflector, { transformerPackage });
  }

  override transformToPlain(
    response: unknown,
    options: Options,
  ): ReturnType<ClassSerializerInterceptor['transformToPlain']> {
    const own = (response as object | null | undefined)?.constructor;
    const isClass = own !== undefined && own !== Object;
    const type = isClass ? (own as Type<unknown>) : options.type;
    const ownOptions = isClass ? { ...options, type } : options;
    const names = type && typeof response === 'object' && response !== null ? openFieldsOf(type) : [];
    if (names.length === 0) return super.transformToPlain(response, ownOptions);
    const { closed, open } = split(response as Record<string, unknown>, names);
    return { ...super.transformToPlain(closed, ownOptions), ...open };
  }
}

function split(
  response: Record<string, unknown>,
  names: readonly string[],
): { closed: object; open: Record<string, unknown> } {
  const closed = Object.assign(Object.create(Object.getPrototypeOf(response) as object) as object, response);
  const open: Record<string, unknown> = {};
  for (const name of names) {
    if (response[name] !== undefined) open[name] = response[name];
    Reflect.deleteProperty(closed, name);
  }
  return { closed, open };
}
