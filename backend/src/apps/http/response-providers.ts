import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import { DeclaredFields } from '../../core/api/index.js';
import { ErrorFilter } from '../../core/errors/index.js';

/** The error format and the response allow-list, for both applications. */
export function responseProviders(): Provider[] {
  return [
    ErrorFilter,
    { provide: APP_FILTER, useExisting: ErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: DeclaredFields },
  ];
}
