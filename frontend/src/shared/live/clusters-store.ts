import { computed, inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../api/api';
import type { ClusterDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** All clusters, kept current while a component watches. */
@Service()
export class ClustersStore {
  private readonly api = inject(Api);
  readonly live = new LiveValue<ClusterDto[]>({
    topics: ['clusters'],
    pollEveryMs: 3000,
    load: (signal) => this.api.get('/api/v1/clusters', {}, signal),
    apply: (value, message) => (message.type === 'clusters' ? message.clusters : value),
  });
  readonly clusters = computed(() => this.live.value() ?? []);

  /** The clusters of this name, of one engine or of all: without an engine, there may be several. */
  named(name: string, runtime?: string | null): ClusterDto[] {
    return this.clusters().filter(
      (cluster) => cluster.name === name && (!runtime || cluster.runtime === runtime),
    );
  }

  /** The first cluster of this name; of the engine, if given. */
  find(name: string, runtime?: string | null): ClusterDto | undefined {
    return this.named(name, runtime)[0];
  }
}

export function sameCluster(one: ClusterKey, other: ClusterKey): boolean {
  return one.name === other.name && one.runtime === other.runtime;
}
