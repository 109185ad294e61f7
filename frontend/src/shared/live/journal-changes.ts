import { DestroyRef, inject } from '@angular/core';
import { LiveConnection } from './live-connection';

/**
 * Calls `changed` when the journal got or changed an entry, and as often as one polls while nothing is
 * pushed: the page then asks for what it shows. Call it where `inject` works; it ends with the caller.
 */
export function onJournalChange(changed: () => void): void {
  const stop = inject(LiveConnection).listen({
    topics: ['journal'],
    pollEveryMs: 5000,
    refresh: changed,
    onMessage: changed,
  });
  inject(DestroyRef).onDestroy(stop);
}
