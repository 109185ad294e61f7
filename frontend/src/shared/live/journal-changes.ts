import { DestroyRef, inject } from '@angular/core';
import { LiveConnection } from './live-connection';

/**
 * Calls `changed` when the journal has changed, and periodically without a connection. Requires an injection
 * context, and ends with it.
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
