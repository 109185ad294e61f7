import { computed, Directive, inject, input, type Signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ClusterDto } from '../../shared/api/api-types';
import { SessionRights } from '../../shared/session/may-change';
import { ClustersStore } from '../../shared/live/clusters-store';

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

/** A page of the cluster in its URL, which it keeps current. */
@Directive()
export abstract class OfCluster {
  private readonly clusters = inject(ClustersStore);
  /** From the URL. Without an engine, the name must be unique. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();

  protected readonly live = this.clusters.live;
  private readonly namesakes = computed(() => this.clusters.named(this.name(), this.runtime()));
  /** Undefined if it does not exist or the name is ambiguous. */
  protected readonly cluster = computed(() =>
    this.namesakes().length === 1 ? this.namesakes()[0] : undefined,
  );
  /** The clusters of an ambiguous name. */
  protected readonly choice = computed(() => (this.namesakes().length > 1 ? this.namesakes() : []));
  protected readonly key = keyOfCluster(this.cluster);
  protected readonly session = inject(SessionRights);
  /** False for an external cluster for which changes are off, and for a session that may only read. */
  protected readonly mayChange = computed(
    () => this.session.mayChange() && this.cluster()?.external?.changes_allowed !== false,
  );

  constructor() {
    this.live.watch();
  }
}
