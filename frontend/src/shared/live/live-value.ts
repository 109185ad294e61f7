import { computed, DestroyRef, inject, signal } from '@angular/core';
import type { ServerMessage, Topic } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { LiveConnection, type LiveListener } from './live-connection';

interface LiveValueOptions<T> {
  topics: readonly Topic[];
  pollEveryMs: number;
  load: () => Promise<T>;
  /** The value after a message. Whole records come, so the order of a load and a message does not matter. */
  apply: (value: T | undefined, message: ServerMessage) => T | undefined;
}

/**
 * Something of the server that a page shows: loaded once, then kept right by messages, or by polling while
 * there are none. A load that fails leaves the last known value in place and says since when it is old.
 * Is made where `inject` works.
 */
export class LiveValue<T> {
  private readonly live = inject(LiveConnection);
  private readonly current = signal<T | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly fresh = signal<number | null>(null);
  private readonly listener: LiveListener;
  private viewers = 0;
  private stopListening: (() => void) | undefined;
  private loading: Promise<void> | undefined;
  private reload = false;
  private heard: ServerMessage[] = [];
  private retry: ReturnType<typeof setTimeout> | undefined;

  /** The last known value; undefined until the first one came. */
  readonly value = this.current.asReadonly();
  /** Why the last load failed; null when it did not. */
  readonly problem = this.failure.asReadonly();
  /** When the value was last known to be right, in milliseconds since 1970. */
  readonly knownAt = this.fresh.asReadonly();
  /** Nothing is known yet, and nothing failed. */
  readonly waiting = computed(() => this.current() === undefined && this.failure() === null);
  /** What is shown is not what is: the last load failed after others had come. */
  readonly stale = computed(() => this.current() !== undefined && this.failure() !== null);

  constructor(private readonly options: LiveValueOptions<T>) {
    this.listener = {
      topics: options.topics,
      pollEveryMs: options.pollEveryMs,
      refresh: () => void this.refresh(),
      onMessage: (message) => this.receive(message),
    };
  }

  /** Keeps the value right for as long as the component or service that asks lives. */
  watch(viewer: DestroyRef = inject(DestroyRef)): void {
    viewer.onDestroy(this.join());
  }

  /** The same with an end of one's own. */
  join(): () => void {
    this.viewers += 1;
    if (this.viewers === 1) this.stopListening = this.live.listen(this.listener);
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.viewers -= 1;
      if (this.viewers > 0) return;
      clearTimeout(this.retry);
      this.stopListening?.();
      this.stopListening = undefined;
    };
  }

  /** Asks now. Never rejects: `problem` says how it went. One that comes while another runs is run after it. */
  refresh(): Promise<void> {
    if (this.loading) {
      this.reload = true;
      return this.loading;
    }
    this.loading = this.load();
    return this.loading;
  }

  private async load(): Promise<void> {
    clearTimeout(this.retry);
    do {
      this.heard = [];
      try {
        const loaded = await this.options.load();
        // What was pushed meanwhile is newer than what was asked for before.
        const value = this.heard.reduce<T | undefined>(this.options.apply, loaded);
        this.current.set(value);
        this.fresh.set(Date.now());
        this.failure.set(null);
      } catch (error) {
        this.failure.set(ApiProblem.of(error));
      }
    } while (this.takeReload());
    // In the same breath as the last look for a reload: one that is asked for from now on begins anew.
    this.loading = undefined;
    if (this.failure() !== null && this.viewers > 0) this.retryLater();
  }

  /**
   * One request may fail while the socket stands: an engine that makes a network is enough for a browser to
   * drop what is under way. Nothing polls then, so the value asks again by itself.
   */
  private retryLater(): void {
    this.retry = setTimeout(() => {
      if (this.live.state() === 'live') void this.refresh();
    }, this.options.pollEveryMs);
  }

  private takeReload(): boolean {
    const wanted = this.reload;
    this.reload = false;
    return wanted;
  }

  private receive(message: ServerMessage): void {
    if (this.loading) this.heard.push(message);
    const value = this.options.apply(this.current(), message);
    if (value === undefined) return;
    this.current.set(value);
    this.fresh.set(Date.now());
    this.failure.set(null);
  }
}
