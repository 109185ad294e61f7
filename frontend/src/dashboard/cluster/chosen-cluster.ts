import { computed, inject, type Signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';

/** What a page's address means. */
export interface ChosenCluster {
  /** The one that is meant, where it is there and no other can be. */
  cluster: Signal<ClusterDto | undefined>;
  /** Several engines hold a cluster of this name, and the address does not say which is meant. */
  choice: Signal<readonly ClusterDto[]>;
  /** One identity while it stays the same cluster, so that parts of a page do not load again. */
  key: Signal<ClusterKey | undefined>;
}

/** Finds the cluster of a page by its address. Call it where things can be injected. */
export function chosenCluster(name: Signal<string>, runtime: Signal<string | undefined>): ChosenCluster {
  const clusters = inject(ClustersStore);
  const namesakes = computed(() => clusters.named(name(), runtime()));
  const cluster = computed(() => (namesakes().length === 1 ? namesakes()[0] : undefined));
  return {
    cluster,
    choice: computed(() => (namesakes().length > 1 ? namesakes() : [])),
    key: computed(
      () => {
        const found = cluster();
        return found && { name: found.name, runtime: found.runtime };
      },
      { equal: (one, other) => one?.name === other?.name && one?.runtime === other?.runtime },
    ),
  };
}
