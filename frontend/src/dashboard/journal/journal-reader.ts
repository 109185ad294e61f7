import { inject, Injectable, signal } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { JournalPageDto } from '../../shared/api/api-types';
import { type JournalView, toFilter } from './journal-address';

/**
 * The page of the journal that is shown. What comes later does not push its rows: entries on it are brought
 * up to date where they stand, and new ones are only counted.
 */
@Injectable()
export class JournalReader {
  private readonly api = inject(Api);
  private readonly page = signal<JournalPageDto | undefined>(undefined);
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly asking = signal(false);
  private readonly newer = signal(0);
  private view: JournalView | undefined;
  private generation = 0;
  /** The comparison at work, and the one that waits for it: changes that come in a burst share it. */
  private comparing = Promise.resolve();
  private waiting: Promise<void> | undefined;

  /** The last page that came; it stays while the next one is on its way, and when that fails. */
  readonly shown = this.page.asReadonly();
  readonly problem = this.failure.asReadonly();
  readonly loading = this.asking.asReadonly();
  /** Entries that fit the filter and came since the page was read. */
  readonly fresh = this.newer.asReadonly();

  async open(view: JournalView): Promise<void> {
    this.generation += 1;
    const { generation } = this;
    this.view = view;
    this.asking.set(true);
    try {
      const page = await this.api.journal(toFilter(view));
      if (generation !== this.generation) return;
      this.page.set(page);
      this.newer.set(0);
      this.failure.set(null);
    } catch (error) {
      if (generation !== this.generation) return;
      this.failure.set(ApiProblem.of(error));
    }
    this.asking.set(false);
  }

  /** Something changed: asks for the newest entries, and says how many there are that are not shown. */
  look(): Promise<void> {
    this.waiting ??= this.comparing.then(() => {
      this.waiting = undefined;
      this.comparing = this.compare();
      return this.comparing;
    });
    return this.waiting;
  }

  private async compare(): Promise<void> {
    const { generation, view } = this;
    const shown = this.page();
    if (!view || this.asking()) return;
    // Nothing stands there that could be pushed aside, or nothing is known: show what came.
    if (!shown || this.failure() || (view.page === 1 && shown.entries.length === 0)) {
      await this.open(view);
      return;
    }
    try {
      const newest = await this.api.journal(toFilter({ ...view, page: 1 }));
      if (generation !== this.generation) return;
      const byId = new Map(newest.entries.map((entry) => [entry.id, entry]));
      this.page.set({ ...shown, entries: shown.entries.map((entry) => byId.get(entry.id) ?? entry) });
      this.newer.set(Math.max(0, newest.total - shown.total));
    } catch (error) {
      if (generation === this.generation) this.failure.set(ApiProblem.of(error));
    }
  }
}
