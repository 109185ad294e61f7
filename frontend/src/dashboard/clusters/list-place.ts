import { inject, Service } from '@angular/core';
import { type Params, Router, Scroll } from '@angular/router';
import { filter, take } from 'rxjs';
import { Selection } from './selection';

/** The order and the focused row of the list when the user opened a cluster. */
export interface KeptPlace {
  order: readonly string[];
  /** The focused row, and its distance from the top of the window. */
  current: { key: string; top: number } | null;
}

/** Keeps order, scroll position, focus and selection of the list while the user views a cluster. */
@Service()
export class ListPlace {
  private readonly router = inject(Router);
  private kept: KeptPlace | null = null;
  readonly selection = new Selection();
  /** Query parameters of the list. */
  params: Params = {};

  /** Called when the list is destroyed. Keeps the place only if the next page is of a cluster. */
  leave(place: KeptPlace, params: Params): void {
    const next = this.router.currentNavigation()?.finalUrl?.toString() ?? '';
    const isCluster = next.startsWith('/cluster/');
    this.kept = isCluster ? place : null;
    this.params = isCluster ? params : {};
    if (!isCluster) this.selection.clear();
  }

  /** Returns the kept place and forgets it. */
  take(): KeptPlace | null {
    const { kept } = this;
    this.kept = null;
    this.params = {};
    if (!kept) this.selection.clear();
    return kept;
  }

  /** Runs after the router has restored the scroll position. */
  afterScroll(act: () => void): void {
    this.router.events
      .pipe(
        filter((event) => event instanceof Scroll),
        take(1),
      )
      .subscribe(() => setTimeout(act));
  }
}
