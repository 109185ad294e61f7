import { computed, DestroyRef, inject, signal } from '@angular/core';
import type { ServerMessage, Topic } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { ServerPresence } from '../browser/server-presence';
import { LiveConnection, type LiveListener } from './live-connection';

interface LiveValueOptions<T> {
  topics: readonly Topic[];
  pollEveryMs: number;
  /** @param signal aborted once the value has no viewers */
  load: (signal: AbortSignal) => Promise<T>;
  /** The value after a message. Messages contain whole records, so loads and messages may arrive in any order. */
  apply: (value: T | undefined, message: ServerMessage) => T | undefined;
}

/**
 * A value of the server: loaded once, then updated by messages, or by polling without a connection. A failed load
 * keeps the last known value. Requires an injection context.
 */
export class LiveValue<T> {
  private readonly live = inject(LiveConnection);
  private readonly server = inject(ServerPresence);
  private readonly current = signal<T | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly fresh = signal<number | null>(null);
  private readonly listener: LiveListener;
  private viewers = 0;
  private leaving = new AbortController();
  private stopListening: (() => void) | undefined;
  private loading: Promise<void> | undefined;
  private loadsAgain = false;
  private received: ServerMessage[] = [];
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** The last known value; undefined before the first. */
  readonly value = this.current.asReadonly();
  /** Why the last load failed; null if it did not. */
  readonly problem = this.failure.asReadonly();
  /** When the value was last current, in milliseconds since the epoch. */
  readonly knownAt = this.fresh.asReadonly();
  /** The first load has neither finished nor failed. */
  readonly waiting = computed(() => this.current() === undefined && this.failure() === null);
  /** The last load failed, or the server does not respond: the value may be outdated. */
  readonly stale = computed(
    () => this.current() !== undefined && (this.failure() !== null || this.server.gone()),
  );

  constructor(private readonly options: LiveValueOptions<T>) {
    this.listener = {
      topics: options.topics,
      pollEveryMs: options.pollEveryMs,
      refresh: () => void this.reload(),
      onMessage: (message) => this.receive(message),
    };
  }

  /** Keeps the value current for the lifetime of the caller. */
  watch(): void {
    inject(DestroyRef).onDestroy(this.join());
  }

  /** As `watch`; call the result to stop. */
  join(): () => void {
    this.viewers += 1;
    if (this.viewers === 1) this.stopListening = this.live.listen(this.listener);
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.viewers -= 1;
      if (this.viewers > 0) return;
      this.leaving.abort();
      this.leaving = new AbortController();
      clearTimeout(this.retry);
      this.stopListening?.();
      this.stopListening = undefined;
    };
  }

  /** Loads now, or after the running load. Never rejects: see `problem`. */
  reload(): Promise<void> {
    if (this.loading) {
      this.loadsAgain = true;
      return this.loading;
    }
    this.loading = this.load();
    return this.loading;
  }

  private async load(): Promise<void> {
    clearTimeout(this.retry);
    do {
      this.received = [];
      const { signal } = this.leaving;
      try {
        const loaded = await this.options.load(signal);
        // Messages received meanwhile are newer than the response.
        const value = this.received.reduce<T | undefined>(this.options.apply, loaded);
        this.current.set(value);
        this.fresh.set(Date.now());
        this.failure.set(null);
      } catch (error) {
        if (!signal.aborted) this.failure.set(ApiProblem.of(error));
      }
    } while (this.takeReload());
    // Right after the last check for a reload: a later one starts a new load.
    this.loading = undefined;
    if (this.failure() !== null && this.viewers > 0) this.retryLater();
  }

  /**
   * A request may fail while the socket is open: browsers cancel requests when an engine adds a network. Nothing
   * polls then, so this retries.
   */
  private retryLater(): void {
    this.retry = setTimeout(() => {
      if (this.live.state() === 'live') void this.reload();
    }, this.options.pollEveryMs);
  }

  private takeReload(): boolean {
    const wanted = this.loadsAgain;
    this.loadsAgain = false;
    return wanted;
  }

  private receive(message: ServerMessage): void {
    if (this.loading) this.received.push(message);
    const value = this.options.apply(this.current(), message);
    if (value === undefined) return;
    this.current.set(value);
    this.fresh.set(Date.now());
    this.failure.set(null);
  }
}
