import type { Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { DeclaredFields } from '../../core/api/index.js';
import { ErrorFilter } from '../../core/errors/index.js';
import { AccessGuard } from '../../core/security/index.js';

/** For both applications: every route is closed that is not `@Public`, errors have one format, and responses an allow-list. */
export function globalProviders(): Provider[] {
  return [
    ErrorFilter,
    { provide: APP_GUARD, useExisting: AccessGuard },
    { provide: APP_FILTER, useExisting: ErrorFilter },
    { provide: APP_INTERCEPTOR, useClass: DeclaredFields },
  ];
}
