import { DOCUMENT, inject, InjectionToken } from '@angular/core';
import type { PageSession } from '../api/api-types';

/** The state of the session when the server rendered the page. */
export const PAGE_SESSION = new InjectionToken<PageSession>('PAGE_SESSION', {
  providedIn: 'root',
  factory: () =>
    (inject(DOCUMENT).querySelector<HTMLElement>('sw-root')?.dataset['session'] as PageSession | undefined) ??
    'open',
});
