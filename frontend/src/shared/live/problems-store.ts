import { inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../api/api';
import type { ProblemDto } from '../api/api-types';
import { sameCluster } from './clusters-store';
import { LiveValue } from './live-value';

/** The problems of all clusters, kept current while a component watches. */
@Service()
export class ProblemsStore {
  private readonly api = inject(Api);
  readonly live = new LiveValue<ProblemDto[]>({
    topics: ['problems'],
    pollEveryMs: 3000,
    load: (signal) => this.api.get('/api/v1/problems', {}, signal),
    apply: (value, message) => (message.type === 'problems' ? message.problems : value),
  });

  /** Those of a cluster, the oldest first; undefined before the first load. */
  of(cluster: ClusterKey): ProblemDto[] | undefined {
    return this.live.value()?.filter(({ cluster: name, runtime }) => sameCluster(cluster, { name, runtime }));
  }
}
