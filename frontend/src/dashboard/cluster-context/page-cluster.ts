import { computed, inject, Service } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { NavigationEnd, Router } from '@angular/router';
import { filter, map } from 'rxjs';
import type { ClusterDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';

/** The cluster that the page is of. */
@Service()
export class PageCluster {
  private readonly clusters = inject(ClustersStore);
  private readonly router = inject(Router);
  private readonly url = toSignal(
    this.router.events.pipe(
      filter((event) => event instanceof NavigationEnd),
      map(() => this.router.url),
    ),
    { initialValue: this.router.url },
  );
  /** The cluster in the URL, whether it exists or not. */
  readonly address = computed(() => {
    const url = this.router.parseUrl(this.url());
    const [root, name] = url.root.children['primary']?.segments.map(({ path }) => path) ?? [];
    if (root !== 'cluster' || name === undefined) return undefined;
    return { name, runtime: url.queryParamMap.get('runtime') };
  });
  /** Undefined on other pages, and if the name is ambiguous. */
  readonly cluster = computed<ClusterDto | undefined>(() => {
    const address = this.address();
    const named = address ? this.clusters.named(address.name, address.runtime) : [];
    return named.length === 1 ? named[0] : undefined;
  });
}
