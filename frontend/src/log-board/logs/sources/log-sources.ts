import { computed, inject, Service, signal } from '@angular/core';
import type { LogBoardMessage, LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../../api/board-connection';

/** Delay before a retry if the server cannot read its history. */
const RETRY_MS = 2000;

@Service()
export class LogSources {
  private readonly board = inject(BoardConnection);
  private readonly current = signal<ReadonlyMap<number, LogSourceDto> | null>(null);
  /** A long list arrives in several messages, and is shown with the last one. */
  private incoming: Map<number, LogSourceDto> | null = null;

  /** Null until the first list. */
  readonly byId = this.current.asReadonly();
  readonly all = computed(() => [...(this.current()?.values() ?? [])]);

  constructor() {
    this.board.listen({
      onOpen: () => this.watch(),
      onMessage: (message) => this.receive(message),
    });
  }

  private watch(): void {
    this.incoming = null;
    this.board.send({ type: 'watch_sources' });
  }

  private receive(message: LogBoardMessage): void {
    if (message.type === 'error' && message.source === undefined && message.code === 'storage_unavailable') {
      setTimeout(() => this.watch(), RETRY_MS);
    }
    if (message.type !== 'sources') return;
    const next = message.whole ? new Map<number, LogSourceDto>() : (this.incoming ?? new Map(this.current()));
    for (const source of message.sources) next.set(source.id, source);
    for (const id of message.gone) next.delete(id);
    this.incoming = message.more ? next : null;
    if (!message.more) this.current.set(next);
  }
}
