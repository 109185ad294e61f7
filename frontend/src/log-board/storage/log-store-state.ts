import { computed, inject, Service, signal } from '@angular/core';
import type { LogStoreHealth } from '../../shared/api/api-types';
import { readStored, store } from '../../shared/browser/browser-storage';
import { BoardConnection } from '../api/board-connection';

/** Holds the text of the notice that was closed last. */
const KEY = 'slipway.log-store-notice';

/** Whether the log store works, as the server pushes it, and its notice until the user closes it. */
@Service()
export class LogStoreState {
  private readonly connection = inject(BoardConnection);
  private readonly pushed = signal<LogStoreHealth | null>(null);
  private readonly closed = signal(readStored(KEY));

  /** Null if unknown. */
  readonly health = computed(() => (this.connection.state() === 'open' ? this.pushed() : null));
  readonly notice = computed(() => {
    const notice = this.health()?.notice ?? null;
    return notice === this.closed() ? null : notice;
  });

  constructor() {
    this.connection.listen({
      onOpen: () => this.pushed.set(null),
      onMessage: (message) => {
        if (message.type === 'log_store') this.pushed.set(message);
      },
    });
  }

  closeNotice(): void {
    const notice = this.notice();
    if (notice === null) return;
    this.closed.set(notice);
    store(KEY, notice);
  }
}
