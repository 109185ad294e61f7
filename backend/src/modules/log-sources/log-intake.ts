import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { reasonOf, guardedInterval } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import type { LogStore } from '../../drivers/log-store/index.js';
import { GatewaySelector, type PodLogs } from '../../drivers/kubernetes/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry, type RuntimeDriver } from '../../drivers/runtime/index.js';
import { LogStoreAccess } from './log-store-access.js';
import { ExternalHistories, scopedPodLogs } from './external-histories.js';
import { LineBus } from './line-bus.js';
import { ClusterWatch } from './cluster-watch.js';
import { Backoff } from './backoff.js';
import { RuntimeWatch, type RunningCluster } from './runtime-watch.js';
import type { SourceEntry } from './source-entry.js';
import { SourceRegistry } from './source-registry.js';
import { StoreSink } from './store-sink.js';
import { LogReader } from './reading/log-reader.js';

/** How often deleted sources without stored lines are removed. */
const FORGET_MS = 10_000;

interface WatchHandle<TWatch> {
  watch: TWatch;
  end: AbortController;
  done: Promise<void>;
}

/** Collects the logs of all containers of all engines, and of all pods of running clusters. */
@Injectable()
export class LogIntake implements OnApplicationShutdown {
  private readonly runtimeWatches = new Map<string, WatchHandle<RuntimeWatch>>();
  private readonly clusterWatches = new Map<string, WatchHandle<ClusterWatch> & { generation: string }>();
  /** Settle once the ended watches of a cluster store nothing more. */
  private readonly endings = new Map<string, Promise<void>>();
  private readonly subscriptions: Subscription[] = [];
  private cleanup: NodeJS.Timeout | undefined;
  private following: { registry: SourceRegistry; reader: LogReader; sink: StoreSink } | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly access: LogStoreAccess,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly gateways: GatewaySelector,
    private readonly registry: SourceRegistry,
    private readonly histories: ExternalHistories,
    private readonly bus: LineBus,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {}

  /** Opens the store and starts to collect. Called once the server listens, because opening may take long. */
  async start(): Promise<void> {
    try {
      const store = await this.openStore();
      if (!store || this.isStopped) return;
      const forget = (): void => this.registry.forgetEmpty();
      this.cleanup = guardedInterval(forget, FORGET_MS, 'forget sources without lines');
      this.cleanup.unref();
      const { logIntake, logHistoryDays } = this.configuration.values;
      if (logIntake === 'off') return;
      const sink = new StoreSink(store, this.bus, this.registry, logHistoryDays);
      this.following = { registry: this.registry, reader: new LogReader(sink), sink };
      this.subscriptions.push(
        this.runtimes.changes.subscribe(() => this.watchRuntimes()),
        this.histories.changes.subscribe(() => this.watchExternal(store)),
        this.registry.intakeChanges.subscribe(() =>
          this.watches.forEach(({ watch }) => watch.intakeChanged()),
        ),
      );
      this.watchRuntimes();
      this.watchExternal(store);
    } catch (error) {
      this.logger.failure('no logs are collected', error);
    }
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Retries until the store opens: a full disk may get free space again. */
  private async openStore(): Promise<LogStore | undefined> {
    const backoff = new Backoff();
    for (let attempt = 1; !this.isStopped; attempt += 1) {
      try {
        return await this.access.open();
      } catch (error) {
        if (attempt === 1) {
          this.logger.failure(
            'the log store could not be opened, so no logs are collected; Slipway retries',
            error,
          );
        }
      }
      await backoff.wait(this.stopping.signal);
    }
    return undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.cleanup);
    for (const subscription of this.subscriptions) subscription.unsubscribe();
    for (const { end } of this.watches) end.abort();
    await Promise.allSettled([...this.watches.map(({ done }) => done), ...this.endings.values()]);
    await this.access.close();
  }

  private watchRuntimes(): void {
    const { following } = this;
    if (this.isStopped || !following) return;
    const available = this.runtimes.available();
    for (const [id, watched] of this.runtimeWatches) {
      if (available.some((runtime) => runtime.id === id)) continue;
      watched.watch.markWaiting(this.unavailableReason(id));
      watched.end.abort();
      this.runtimeWatches.delete(id);
      this.watchClusters(id, undefined, []);
    }
    for (const runtime of available) {
      if (this.runtimeWatches.has(runtime.id)) continue;
      const end = new AbortController();
      const onClusters = (clusters: readonly RunningCluster[]): void =>
        this.watchClusters(runtime.id, runtime, clusters);
      const watch = new RuntimeWatch(runtime, following, onClusters, end.signal);
      this.runtimeWatches.set(runtime.id, { watch, end, done: this.supervise(watch.run()) });
    }
  }

  private watchClusters(
    runtimeId: string,
    runtime: RuntimeDriver | undefined,
    clusters: readonly RunningCluster[],
  ): void {
    const connect =
      ({ name }: RunningCluster) =>
      async (): Promise<PodLogs> => {
        if (!runtime) throw new Error(`${runtimeId} is not available`);
        return await this.connect(runtime, name);
      };
    this.follow(runtimeId, runtime ? clusters : [], connect);
  }

  /** The chosen Pods of clusters of kubeconfigs. */
  private watchExternal(store: LogStore): void {
    const named = this.histories.all.map((history) => ({ ...history, name: history.cluster }));
    this.follow(EXTERNAL_RUNTIME, named, ({ connect, scopes }) => async () => {
      return scopedPodLogs(await connect(), scopes);
    });
    const followed = new Set(named.map(({ name }) => name));
    for (const entry of this.externalSources()) {
      if (followed.has(entry.identity.cluster ?? '') || entry.state === 'gone') continue;
      this.registry.setState(entry, 'gone');
    }
    for (const cluster of this.histories.takeRemoved()) {
      this.deleteLines(store, cluster).catch((error: unknown) => {
        this.logger.failure(`the lines of ${cluster}, which was removed, could not be deleted`, error);
      });
    }
  }

  private externalSources(): SourceEntry[] {
    return this.registry.all().filter(({ identity }) => identity.runtime === EXTERNAL_RUNTIME);
  }

  private async deleteLines(store: LogStore, cluster: string): Promise<void> {
    await this.endings.get(`${EXTERNAL_RUNTIME}/${cluster}`);
    for (const entry of this.externalSources().filter(({ identity }) => identity.cluster === cluster)) {
      this.registry.noteDeleted(entry);
      await store.delete(entry.id).finally(() => this.registry.changes.next(entry.id));
    }
    this.registry.forgetEmpty();
  }

  private follow<TCluster extends RunningCluster>(
    runtimeId: string,
    clusters: readonly TCluster[],
    connectTo: (cluster: TCluster) => ConstructorParameters<typeof ClusterWatch>[1],
  ): void {
    const { following } = this;
    if (this.isStopped || !following) return;
    const wanted = new Map(clusters.map((cluster) => [`${runtimeId}/${cluster.name}`, cluster]));
    for (const [key, { end, done, generation }] of this.clusterWatches) {
      if (!key.startsWith(`${runtimeId}/`) || wanted.get(key)?.generation === generation) continue;
      end.abort();
      this.clusterWatches.delete(key);
      const ending = Promise.all([this.endings.get(key), done]);
      this.endings.set(
        key,
        ending.then(() => undefined),
      );
    }
    for (const [key, cluster] of wanted) {
      if (this.clusterWatches.has(key)) continue;
      const { name, generation } = cluster;
      const end = new AbortController();
      const of = { runtime: runtimeId, cluster: name };
      const watch = new ClusterWatch(of, connectTo(cluster), following, end.signal);
      const done = this.supervise(watch.run());
      this.clusterWatches.set(key, { watch, end, done, generation });
    }
  }

  private async connect(runtime: RuntimeDriver, name: string): Promise<PodLogs> {
    const provisioner = this.provisioners.for(runtime);
    const kubeconfig = await provisioner.kubeconfig(name, runtime);
    return await this.gateways.for(provisioner.kind).podLogs({ name, runtime: runtime.id, kubeconfig });
  }

  private get watches(): WatchHandle<RuntimeWatch | ClusterWatch>[] {
    return [...this.runtimeWatches.values(), ...this.clusterWatches.values()];
  }

  private unavailableReason(id: string): string {
    return this.runtimes.statuses().find((status) => status.id === id)?.reason ?? `${id} does not respond.`;
  }

  /** Only its signal ends a watch. Any other end is a bug, which must not end the process. */
  private async supervise(run: Promise<void>): Promise<void> {
    try {
      await run;
    } catch (error) {
      this.logger.failure(`logs are no longer collected: ${reasonOf(error)}`, error);
    }
  }
}
