import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { hasCode } from '../../core/errors/index.js';
import type { LoggedPod, PodLogs, PodScope } from '../../drivers/kubernetes/index.js';

/** The Pods of a cluster of a kubeconfig whose lines are stored. */
export interface ExternalHistory {
  cluster: string;
  scopes: readonly PodScope[];
  /** Changes when the watch must begin again. */
  generation: string;
  connect: () => Promise<PodLogs>;
}

/** The chosen Pods of clusters of kubeconfigs, from the dashboard to the log board. Empty if they run in different processes. */
@Injectable()
export class ExternalHistories {
  readonly changes = new Subject<void>();
  private histories: readonly ExternalHistory[] = [];
  private readonly removed = new Set<string>();

  get all(): readonly ExternalHistory[] {
    return this.histories;
  }

  set(histories: readonly ExternalHistory[]): void {
    this.histories = histories;
    this.changes.next();
  }

  /** Lets the log board delete the lines of a cluster that was removed. */
  deleteLines(cluster: string): void {
    this.removed.add(cluster);
    this.changes.next();
  }

  /** The clusters whose lines shall be deleted, once. */
  takeRemoved(): string[] {
    const names = [...this.removed];
    this.removed.clear();
    return names;
  }
}

/**
 * The Pods in several scopes, each once. A scope that the cluster refuses has no Pods until the others end. Throws if it
 * refuses all.
 */
export function scopedPodLogs(
  logs: PodLogs,
  scopes: readonly PodScope[],
): Pick<PodLogs, 'followPods' | 'open'> {
  return {
    open: (...args) => logs.open(...args),
    followPods: async (onPods, signal) => {
      const found = new Map<PodScope, readonly LoggedPod[]>();
      const ending = new AbortController();
      const either = AbortSignal.any([signal, ending.signal]);
      const report = (scope: PodScope, pods: readonly LoggedPod[]): void => {
        found.set(scope, pods);
        // Until all are listed, a missing Pod is not a deleted one.
        if (found.size < scopes.length) return;
        const all = [...found.values()].flat();
        onPods([...new Map(all.map((pod) => [pod.uid, pod])).values()]);
      };
      let refused = 0;
      const follows = scopes.map(async (scope) => {
        try {
          await logs.followPods((pods) => report(scope, pods), either, scope);
        } catch (error) {
          if (!hasCode(error, 'resource_forbidden', 'resource_refused')) throw error;
          refused += 1;
          if (refused === scopes.length) throw error;
          report(scope, []);
        }
      });
      try {
        await Promise.all(follows);
      } finally {
        ending.abort();
        await Promise.allSettled(follows);
      }
    },
  };
}
