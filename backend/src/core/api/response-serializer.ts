import { ClassSerializerInterceptor, Injectable, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import * as transformerPackage from 'class-transformer';
import { openFieldsOf } from './field.js';

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];

/**
 * Lets through what an answer's class declares. A route that has two answers gives the second one as an
 * instance of its own class, which then counts; Nest alone would take it for an incomplete first one.
 */
@Injectable()
export class ResponseSerializer extends ClassSerializerInterceptor {
  constructor(reflector: Reflector) {
    // The one that the answers' classes are declared with, and no other of its name.
    super(reflector, { transformerPackage });
  }

  override transformToPlain(
    answer: unknown,
    options: Options,
  ): ReturnType<ClassSerializerInterceptor['transformToPlain']> {
    const own = (answer as object | null | undefined)?.constructor;
    const isClass = own !== undefined && own !== Object;
    const type = isClass ? (own as Type<unknown>) : options.type;
    const ownOptions = isClass ? { ...options, type } : options;
    const names = type && typeof answer === 'object' && answer !== null ? openFieldsOf(type) : [];
    if (names.length === 0) return super.transformToPlain(answer, ownOptions);
    const { closed, open } = apart(answer as Record<string, unknown>, names);
    return { ...super.transformToPlain(closed, ownOptions), ...open };
  }
}

/** An answer without its open fields, and those. */
function apart(
  answer: Record<string, unknown>,
  names: readonly string[],
): { closed: object; open: Record<string, unknown> } {
  const closed = Object.assign(Object.create(Object.getPrototypeOf(answer) as object) as object, answer);
  const open: Record<string, unknown> = {};
  for (const name of names) {
    if (answer[name] !== undefined) open[name] = answer[name];
    Reflect.deleteProperty(closed, name);
  }
  return { closed, open };
}
