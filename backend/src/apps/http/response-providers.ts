import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { ResponseSerializer, DeclaredInput } from '../../core/api/index.js';
import { ErrorFilter } from '../../core/errors/index.js';

/** How every application answers: one shape of errors, answers by allow-list, no input that was not declared. */
export function responseProviders(): Provider[] {
  return [
    ErrorFilter,
    { provide: APP_FILTER, useExisting: ErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: DeclaredInput },
    { provide: APP_INTERCEPTOR, useClass: ResponseSerializer },
  ];
}
