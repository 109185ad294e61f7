import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import type { LoggedPod, PodLogs, PodScope } from '../../drivers/kubernetes/index.js';

/** The Pods of a cluster of a kubeconfig whose lines are stored. */
export interface ExternalHistory {
  cluster: string;
  scopes: readonly PodScope[];
  /** Changes when the watch must begin again. */
  generation: string;
  connect: () => Promise<PodLogs>;
}

/** What the dashboard tells the log board of clusters of kubeconfigs. Nothing, if the dashboard runs in another process. */
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

/** The Pods in several scopes, each once. */
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
      const follows = scopes.map((scope) =>
        logs.followPods(
          (pods) => {
            found.set(scope, pods);
            // Until all are listed, a missing Pod is not a deleted one.
            if (found.size < scopes.length) return;
            const all = [...found.values()].flat();
            onPods([...new Map(all.map((pod) => [pod.uid, pod])).values()]);
          },
          either,
          scope,
        ),
      );
      try {
        await Promise.all(follows);
      } finally {
        ending.abort();
        await Promise.allSettled(follows);
      }
    },
  };
}
