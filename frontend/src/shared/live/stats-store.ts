import { computed, DOCUMENT, inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../api/api';
import type { ClusterStatsDto, StatsDto } from '../api/api-types';
import { LiveValue } from './live-value';

/** Usage of the host and of each node. The server samples every 2 s while a client watches. */
@Service()
export class StatsStore {
  private readonly api = inject(Api);
  /** As the server knew when it rendered the page. */
  private readonly isDemoPage = inject(DOCUMENT).querySelector('sw-root')?.hasAttribute('data-demo') === true;
  readonly live = new LiveValue<StatsDto>({
    topics: ['stats'],
    pollEveryMs: 3000,
    load: (signal) => this.api.get('/api/v1/stats', {}, signal),
    apply: (value, message) => (message.type === 'stats' ? message.stats : value),
  });
  readonly stats = this.live.value;
  /** New clusters are created by the demo engine. */
  readonly isDemo = computed(() => {
    const stats = this.stats();
    return stats ? stats.container_cli === 'demo' : this.isDemoPage;
  });

  of({ name, runtime }: ClusterKey): ClusterStatsDto | undefined {
    return this.stats()?.cluster_resources.find(
      (entry) => entry.cluster === name && entry.runtime === runtime,
    );
  }
}
