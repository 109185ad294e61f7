import { inject, Service } from '@angular/core';
import { Router, Scroll } from '@angular/router';
import { filter, take } from 'rxjs';
import { Selection } from '../../shared/grid/selection';

const LIST = '/clusters';

/** The list when the user opened a cluster. */
export interface KeptPlace {
  /** With the filter. */
  url: string;
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

  /** URL of the list, with the filter if the place is kept. */
  get url(): string {
    return this.kept?.url ?? LIST;
  }

  /** Called when the list is destroyed. Keeps the place only if the next page is of a cluster. */
  leave(place: KeptPlace): void {
    const next = this.router.currentNavigation()?.finalUrl?.toString() ?? '';
    const isCluster = next.startsWith('/cluster/');
    this.kept = isCluster ? place : null;
    if (!isCluster) this.selection.clear();
  }

  take(): KeptPlace | null {
    const { kept } = this;
    this.kept = null;
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
