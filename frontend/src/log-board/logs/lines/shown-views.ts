import { computed, signal, type Signal } from '@angular/core';
import type { LogView } from './log-view';

/** The views of a page: one, or several side by side. */
export class ShownViews {
  private readonly last = signal<LogView | null>(null);

  constructor(readonly all: Signal<readonly LogView[]>) {}

  readonly current = computed(() => this.all().find((view) => view === this.last()) ?? this.all().at(0));
  readonly count = computed(() => this.sum((view) => view.count()));
  readonly skipped = computed(() => this.sum((view) => view.skipped()));
  readonly unfollowed = computed(() => this.sum((view) => view.unfollowed()));
  readonly following = computed(() => this.all().every((view) => view.following()));
  readonly unseen = computed(() => this.sum((view) => view.unseen()));
  readonly arrived = computed(() => this.sum((view) => view.arrived()));

  setCurrent(view: LogView): void {
    this.last.set(view);
  }

  of(source: number): LogView | undefined {
    return this.all().find((view) => view.ids().includes(source));
  }

  /** Pauses if all views follow; otherwise all of them follow. */
  toggleFollowing(): void {
    const following = this.following();
    for (const view of this.all()) {
      if (following) view.unfollow();
      else view.follow();
    }
  }

  private sum(count: (view: LogView) => number): number {
    return this.all().reduce((sum, view) => sum + count(view), 0);
  }
}
