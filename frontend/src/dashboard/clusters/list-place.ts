import { inject, Service } from '@angular/core';
import { type Params, Router, Scroll } from '@angular/router';
import { filter, take } from 'rxjs';
import { Selection } from './selection';

/** Where one was in the list when one left it for a cluster's page. */
export interface KeptPlace {
  order: readonly string[];
  /** The row that had the focus, or was opened, and how far from the top of the window it stood. */
  current: { key: string; top: number } | null;
}

/** Keeps the list's place while one looks at a cluster: its order, its scroll, its focus, and what is selected. */
@Service()
export class ListPlace {
  private readonly router = inject(Router);
  private kept: KeptPlace | null = null;
  readonly selection = new Selection();
  /** The list's address when it was left. */
  params: Params = {};

  /** Called when the list goes away; what is kept is for one who comes back from a cluster's page. */
  leave(place: KeptPlace, params: Params): void {
    const next = this.router.currentNavigation()?.finalUrl?.toString() ?? '';
    if (!next.startsWith('/cluster/')) {
      this.forget();
      return;
    }
    this.kept = place;
    this.params = params;
  }

  /** What was kept, once. */
  take(): KeptPlace | null {
    const { kept } = this;
    this.kept = null;
    this.params = {};
    if (!kept) this.selection.clear();
    return kept;
  }

  /** After the router has put the new page where it thinks right. */
  afterScroll(act: () => void): void {
    this.router.events
      .pipe(
        filter((event) => event instanceof Scroll),
        take(1),
      )
      .subscribe(() => setTimeout(act));
  }

  private forget(): void {
    this.kept = null;
    this.params = {};
    this.selection.clear();
  }
}
