import { computed, effect, inject, Injectable, Injector, signal, untracked } from '@angular/core';
import { Title } from '@angular/platform-browser';
import { type ActivatedRouteSnapshot, type RouterStateSnapshot, TitleStrategy } from '@angular/router';
import { rawText } from '../../shared/format/raw-text';
import { ClustersStore } from '../../shared/live/clusters-store';

/**
 * Puts the number of workloads that do not work before the title: `(3) staging · Slipway`. On pages of a cluster these are
 * its own, on the list those of all clusters.
 */
@Injectable()
export class ProblemTitle extends TitleStrategy {
  private readonly title = inject(Title);
  private readonly injector = inject(Injector);
  private readonly shown = signal<{ title: string; route: ActivatedRouteSnapshot } | undefined>(undefined);
  /** Only from the store, which these pages watch. */
  private readonly count = computed(() => {
    const route = this.shown()?.route;
    const name = route?.paramMap.get('name');
    const isList = route?.routeConfig?.path === 'clusters';
    if (!route || (!isList && !name)) return 0;
    // Not before: it opens the socket, and the page to sign in has no session.
    const store = untracked(() => this.injector.get(ClustersStore));
    const of = name ? store.named(name, route.queryParamMap.get('runtime')) : store.clusters();
    return of.reduce((sum, { problems }) => sum + (problems ?? 0), 0);
  });

  constructor() {
    super();
    effect(() => {
      const title = this.shown()?.title;
      const count = this.count();
      if (title !== undefined) this.title.setTitle(count > 0 ? `(${count}) ${title}` : title);
    });
  }

  override updateTitle(snapshot: RouterStateSnapshot): void {
    const title = this.buildTitle(snapshot);
    let route = snapshot.root;
    while (route.firstChild) route = route.firstChild;
    if (title !== undefined) this.shown.set({ title: rawText(title), route });
  }
}
