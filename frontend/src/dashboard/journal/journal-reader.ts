import { inject, Injectable, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { JournalPageDto } from '../../shared/api/api-types';
import { type JournalView, toFilter } from './journal-address';

/** Loads a page of the journal. Its entries update in place; new ones are only counted, so that rows do not move. */
@Injectable()
export class JournalReader {
  private readonly api = inject(Api);
  private readonly page = signal<JournalPageDto | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly isLoading = signal(false);
  private readonly newer = signal(0);
  private view: JournalView | undefined;
  private opening = new AbortController();
  /** The running check for changes, and the next one, which several changes share. */
  private comparing = Promise.resolve();
  private waiting: Promise<void> | undefined;

  /** The last loaded page. Stays while the next one loads, and if that fails. */
  readonly shown = this.page.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly loading = this.isLoading.asReadonly();
  /** Number of matching entries that were added since the page was loaded. */
  readonly fresh = this.newer.asReadonly();

  async open(view: JournalView): Promise<void> {
    this.opening.abort();
    this.opening = new AbortController();
    const { signal } = this.opening;
    this.view = view;
    this.isLoading.set(true);
    try {
      const page = await this.api.get('/api/v1/journal/recent', toFilter(view), signal);
      if (signal.aborted) return;
      this.page.set(page);
      this.newer.set(0);
      this.failure.set(null);
    } catch (error) {
      if (signal.aborted) return;
      this.failure.set(ApiProblem.of(error));
    }
    this.isLoading.set(false);
  }

  /** Loads the page again. */
  async reload(): Promise<void> {
    if (this.view) await this.open(this.view);
  }

  update(): Promise<void> {
    this.waiting ??= this.comparing.then(() => {
      this.waiting = undefined;
      this.comparing = this.compare();
      return this.comparing;
    });
    return this.waiting;
  }

  private async compare(): Promise<void> {
    const { view } = this;
    const { signal } = this.opening;
    const shown = this.page();
    if (!view || this.isLoading()) return;
    // No rows that could move: show the new entries.
    if (!shown || this.failure() || (view.page === 1 && shown.entries.length === 0)) {
      await this.open(view);
      return;
    }
    try {
      const newest = await this.api.get('/api/v1/journal/recent', toFilter({ ...view, page: 1 }), signal);
      if (signal.aborted) return;
      const byId = new Map(newest.entries.map((entry) => [entry.id, entry]));
      this.page.set({ ...shown, entries: shown.entries.map((entry) => byId.get(entry.id) ?? entry) });
      this.newer.set(Math.max(0, newest.total - shown.total));
    } catch (error) {
      if (!signal.aborted) this.failure.set(ApiProblem.of(error));
    }
  }
}
