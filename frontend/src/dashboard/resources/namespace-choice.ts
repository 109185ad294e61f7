import { computed, effect, inject, type Signal, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { sameJson } from '../../shared/format/same-json';
import type { ClusterKey } from '../../shared/api/api';
import { parseNamespaces, readNamespaces, saveNamespaces } from '../resource-model/namespaces';

export interface NamespaceChoice {
  /** Empty for all namespaces. */
  chosen: Signal<readonly string[]>;
  /** The choice as query parameters, for links to other pages of the cluster. */
  params: Signal<{ namespace?: string }>;
  choose: (namespaces: readonly string[]) => Promise<boolean>;
}

/**
 * The namespaces that a page of a cluster shows: those in its URL, or else the last choice for the cluster, which then
 * is put in the URL, so that a copied link shows the same. Requires an injection context.
 */
export function namespaceChoice(key: Signal<ClusterKey | undefined>): NamespaceChoice {
  const router = inject(Router);
  const route = inject(ActivatedRoute);
  const query = toSignal(route.queryParamMap, { requireSync: true });
  const text = computed(() => query().get('namespace'));
  const chosen = computed(
    () => {
      const cluster = key();
      return parseNamespaces(text()) ?? (cluster ? readNamespaces(cluster) : []);
    },
    { equal: sameJson },
  );
  const show = (namespaces: readonly string[]): Promise<boolean> =>
    router.navigate([], {
      queryParams: { namespace: namespaces.join() },
      queryParamsHandling: 'merge',
      preserveFragment: true,
      replaceUrl: true,
      scroll: 'manual',
    });
  effect(() => {
    if (text() === null && chosen().length > 0) void untracked(() => show(chosen()));
  });
  return {
    chosen,
    params: computed(() => (text() === null && chosen().length === 0 ? {} : { namespace: chosen().join() })),
    choose: (namespaces) => {
      const cluster = key();
      if (cluster) saveNamespaces(cluster, namespaces);
      return show(namespaces);
    },
  };
}
