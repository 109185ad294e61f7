import { computed, inject, Service, signal } from '@angular/core';
import type { LogBoardMessage, LogSourceDto } from '../../../shared/api/api-types';
import { BoardConnection } from '../board-connection';

/** Until the server is asked again that cannot read its history just now. */
const AGAIN_MS = 2000;

/** Every source of lines that is known, as it changes. */
@Service()
export class LogSources {
  private readonly board = inject(BoardConnection);
  private readonly known = signal<ReadonlyMap<number, LogSourceDto> | null>(null);
  /** Very many come in several messages: they are shown with the last one. */
  private coming: Map<number, LogSourceDto> | null = null;

  /** Null until the first answer. */
  readonly byId = this.known.asReadonly();
  readonly all = computed(() => [...(this.known()?.values() ?? [])]);

  constructor() {
    this.board.listen({
      onOpen: () => this.watch(),
      onMessage: (message) => this.receive(message),
    });
  }

  private watch(): void {
    this.coming = null;
    this.board.send({ type: 'watch_sources' });
  }

  private receive(message: LogBoardMessage): void {
    if (message.type === 'error' && message.source === undefined && message.code === 'storage_unavailable') {
      setTimeout(() => this.watch(), AGAIN_MS);
    }
    if (message.type !== 'sources') return;
    const next = message.whole ? new Map<number, LogSourceDto>() : (this.coming ?? new Map(this.known()));
    for (const source of message.sources) next.set(source.id, source);
    for (const id of message.gone) next.delete(id);
    this.coming = message.more ? next : null;
    if (!message.more) this.known.set(next);
  }
}
