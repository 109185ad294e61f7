import { computed, inject, type Signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';

export interface ChosenCluster {
  /** Undefined if it does not exist or the name is ambiguous. */
  cluster: Signal<ClusterDto | undefined>;
  /** The clusters of an ambiguous name. */
  choice: Signal<readonly ClusterDto[]>;
  key: Signal<ClusterKey | undefined>;
}

/** The key of a cluster. Keeps its identity while the cluster changes, so that parts of a page do not reload. */
export function keyOfCluster(cluster: Signal<ClusterDto | undefined>): Signal<ClusterKey | undefined> {
  return computed(
    () => {
      const found = cluster();
      return found && { name: found.name, runtime: found.runtime };
    },
    { equal: (one, other) => one?.name === other?.name && one?.runtime === other?.runtime },
  );
}

/** Finds the cluster of a page by its URL, and keeps it current. Requires an injection context. */
export function chosenCluster(name: Signal<string>, runtime: Signal<string | undefined>): ChosenCluster {
  const clusters = inject(ClustersStore);
  clusters.live.watch();
  const namesakes = computed(() => clusters.named(name(), runtime()));
  const cluster = computed(() => (namesakes().length === 1 ? namesakes()[0] : undefined));
  return {
    cluster,
    choice: computed(() => (namesakes().length > 1 ? namesakes() : [])),
    key: keyOfCluster(cluster),
  };
}
