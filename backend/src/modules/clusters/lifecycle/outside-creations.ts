import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { guardedTimeout } from '../../../core/errors/index.js';
import { type NodeContainer, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import type { ClusterKey } from '../inventory/cluster.store.js';
import { ClusterWatcher } from '../inventory/cluster-watcher.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { StartVerification } from './start-verification.js';

/** kind creates a cluster in less, with images that exist. A cluster whose network is installed later is never ready. */
const WINDOW_MS = 3 * 60_000;
const INTERVAL_MS = 2000;
/** How long a list of clusters waits for the first inspection. */
const PATIENCE_MS = 500;
/** An inspection waits for an engine that does not respond. */
const DEADLINE_MS = 5000;

interface Inspection {
  isReady: boolean;
  /** Null while it is running. */
  endedAt: number | null;
  running: Promise<void>;
}

/**
 * Finds clusters that kind is still creating, outside Slipway: their containers are new, none of them has ended, and
 * their Kubernetes was not ready yet.
 */
@Injectable()
export class OutsideCreations {
  /** By the ids of the containers, so that a cluster of the same name is another one. */
  private readonly inspections = new Map<string, Inspection>();

  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly verification: StartVerification,
    private readonly watcher: ClusterWatcher,
    clusters: ClustersService,
  ) {
    clusters.isCreatingOutside = (key, nodes) => this.isCreating(key, nodes);
  }

  /** @param nodes containers of a cluster of which Slipway has no record */
  private async isCreating(key: ClusterKey, nodes: readonly NodeContainer[]): Promise<boolean> {
    if (nodes.length === 0 || nodes.some(({ state }) => state !== 'running' && state !== 'created')) {
      return false;
    }
    const engine = this.runtimes.available().find(({ id }) => id === key.runtime);
    // It stopped responding after its containers were listed.
    if (!engine) return false;
    const { clockOffsetMs } = engine.info();
    const newest = Math.max(...nodes.map(({ createdAt }) => Date.parse(createdAt)));
    if (Date.now() + clockOffsetMs - newest > WINDOW_MS) return false;
    const id = nodes
      .map((node) => node.id)
      .sort()
      .join();
    const inspection = this.inspect(id, key);
    await Promise.race([inspection.running, delay(PATIENCE_MS)]);
    return !inspection.isReady;
  }

  private inspect(id: string, key: ClusterKey): Inspection {
    const last = this.inspections.get(id);
    if (last?.isReady || last?.endedAt === null) return last;
    if (last && performance.now() - last.endedAt < INTERVAL_MS) return last;
    const inspection: Inspection = { isReady: false, endedAt: null, running: Promise.resolve() };
    const ready = this.verification.inspect(key).then((reason) => reason === null);
    inspection.running = Promise.race([ready, delay(DEADLINE_MS, false, { ref: false })])
      // No control plane runs yet, or it has no kubeconfig.
      .catch(() => false)
      .then((isReady) => {
        Object.assign(inspection, { isReady, endedAt: performance.now() });
        // Clients that follow the changes list the clusters again, which inspects it again.
        const wait = isReady ? 0 : INTERVAL_MS;
        guardedTimeout(() => this.watcher.touch(), wait, `inspect ${key.name}`).unref();
        const forget = (): void => {
          if (this.inspections.get(id) === inspection) this.inspections.delete(id);
        };
        guardedTimeout(forget, WINDOW_MS, `forget ${key.name}`).unref();
      });
    this.inspections.set(id, inspection);
    return inspection;
  }
}
