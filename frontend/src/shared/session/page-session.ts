import { DOCUMENT, inject, InjectionToken } from '@angular/core';
import type { PageSession } from '../api/api-types';

/** What the server said of this page's session when it handed the page out. */
export const PAGE_SESSION = new InjectionToken<PageSession>('PAGE_SESSION', {
  providedIn: 'root',
  factory: () =>
    (inject(DOCUMENT).querySelector<HTMLElement>('sw-root')?.dataset['session'] as PageSession | undefined) ??
    'open',
});
