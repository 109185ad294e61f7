import { computed, inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../api/api';
import type { ClusterStatsDto, StatsDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** Usage of the host and of each node. The server samples only while a client watches. */
@Service()
export class StatsStore {
  private readonly api = inject(Api);
  readonly live = new LiveValue<StatsDto>({
    topics: ['stats'],
    pollEveryMs: 3000,
    load: () => this.api.stats(),
    apply: (value, message) => (message.type === 'stats' ? message.stats : value),
  });
  readonly stats = this.live.value;
  /** New clusters are created by the demo engine. */
  readonly isDemo = computed(() => this.stats()?.container_cli === 'demo');

  of({ name, runtime }: ClusterKey): ClusterStatsDto | undefined {
    return this.stats()?.cluster_resources.find(
      (entry) => entry.cluster === name && entry.runtime === runtime,
    );
  }
}
