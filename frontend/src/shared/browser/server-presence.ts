import { computed, Service, signal } from '@angular/core';

/** Whether the server responds. `PresenceProbe` finds out, where a page keeps a connection open. */
@Service()
export class ServerPresence {
  /** When the server was last heard, by its own clock, in milliseconds since the epoch; null while it responds. */
  readonly lastSeen = signal<number | null>(null);
  readonly gone = computed(() => this.lastSeen() !== null);
}
