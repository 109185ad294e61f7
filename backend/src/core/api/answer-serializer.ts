import { ClassSerializerInterceptor, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import * as transformerPackage from 'class-transformer';

type Options = Parameters<ClassSerializerInterceptor['transformToPlain']>[1];

/**
 * Lets through what an answer's class declares. A route that has two answers gives the second one as an
 * instance of its own class, which then counts; Nest alone would take it for an incomplete first one.
 */
@Injectable()
export class AnswerSerializer extends ClassSerializerInterceptor {
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
    return super.transformToPlain(
      answer,
      isClass ? { ...options, type: own as NonNullable<Options['type']> } : options,
    );
  }
}
