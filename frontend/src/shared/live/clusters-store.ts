import { computed, inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../api/api';
import type { ClusterDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** All clusters, kept right while somebody watches. */
@Service()
export class ClustersStore {
  private readonly api = inject(Api);
  readonly live = new LiveValue<ClusterDto[]>({
    topics: ['clusters'],
    pollEveryMs: 3000,
    load: () => this.api.clusters(),
    apply: (value, message) => (message.type === 'clusters' ? message.clusters : value),
  });
  readonly clusters = computed(() => this.live.value() ?? []);

  /** Of several with this name: the one of that engine; without an engine, the first. */
  find(name: string, runtime?: string | null): ClusterDto | undefined {
    return this.clusters().find(
      (cluster) => cluster.name === name && (!runtime || cluster.runtime === runtime),
    );
  }
}

export function sameCluster(one: ClusterKey, other: ClusterKey): boolean {
  return one.name === other.name && one.runtime === other.runtime;
}
