import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { DomainError, guardedInterval, hasCode, invalidField } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import { UnsealError } from '../../core/secrets/index.js';
import {
  identityOf,
  pluginRun,
  textOfContext,
  type ContextAccess,
  type ContextEntry,
} from '../../drivers/contexts/index.js';
import { GatewaySelector, type PodLogs, type PodScope } from '../../drivers/kubernetes/index.js';
import {
  ClusterHooks,
  ClusterKubeconfigs,
  ClustersService,
  ClusterWatcher,
  type Cluster,
  type ExternalFacts,
} from '../clusters/index.js';
import { ExternalHistories } from '../log-sources/index.js';
import { JobsService } from '../jobs/index.js';
import { JournalService } from '../journal/index.js';
import { freeClusterName } from './cluster-names.js';
import { ContextsService, pastedContext } from './contexts.service.js';
import { describe, scopesOf, shortIdentity, sourceOf, type Current } from './external-cluster-facts.js';
import { estimateHistory } from './history-estimate.js';
import { ExternalAccess } from './external-access.js';
import { ExternalClusterStore, type ExternalCluster } from './external-cluster.store.js';
import type {
  AddExternalClusterDto,
  ChangeExternalClusterDto,
  ContextPluginDto,
  HistoryEstimateDto,
} from './external-clusters.dto.js';

/** Interval at which servers are checked. */
const CHECK_MS = 30_000;
const MAX_CLUSTERS = 200;

/** Clusters of the user's kubeconfigs. */
@Injectable()
export class ExternalClustersService implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Emits the name of a cluster for which changes are no longer allowed, or which is removed. */
  readonly changesOff = new Subject<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: ExternalClusterStore,
    private readonly contexts: ContextsService,
    private readonly access: ExternalAccess,
    private readonly clusters: ClustersService,
    kubeconfigs: ClusterKubeconfigs,
    private readonly gateways: GatewaySelector,
    private readonly histories: ExternalHistories,
    private readonly hooks: ClusterHooks,
    private readonly watcher: ClusterWatcher,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {
    clusters.external = () => this.facts();
    kubeconfigs.external = async (name, isChange) => {
      if (isChange) await this.assertChanges(name);
      return await this.accessOf(name);
    };
  }

  onApplicationBootstrap(): void {
    const check = (): void => {
      for (const { name } of this.store.all()) this.checkEventually(name);
    };
    check();
    this.shareHistories();
    this.timer = guardedInterval(check, CHECK_MS, 'ask external clusters').unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.changesOff.complete();
  }

  /** The stored cluster of this name; undefined if no external cluster has it. */
  find(name: string): ExternalCluster | undefined {
    return this.store.find(name);
  }

  /**
   * Reads the context again, so that changes never reach a server for which they were not allowed.
   * @throws DomainError `changes_off` if changes are off for an external cluster, or `cluster_not_found`
   */
  async assertChanges(name: string): Promise<void> {
    const { cluster } = await this.current(this.stored(name));
    if (cluster.changesAllowed) return;
    throw new DomainError(
      'changes_off',
      `Changes are off for ${name}, a cluster of a kubeconfig. Shells, files, revealing Secrets and dry runs count as changes too. Allow changes in its settings, or with: slipway clusters allow-changes ${name}`,
    );
  }

  /** @throws DomainError `context_not_found`, `kubeconfig_unusable`, `cluster_exists` or `invalid_input` */
  async add(request: AddExternalClusterDto): Promise<Cluster> {
    const { kubeconfig, file, color = 'gray', note = '' } = request;
    if (kubeconfig !== undefined && file !== undefined) {
      throw invalidField('kubeconfig', 'cannot be given together with file');
    }
    if (kubeconfig === undefined && request.context === undefined) {
      throw invalidField('context', 'is required without kubeconfig');
    }
    const context =
      kubeconfig === undefined
        ? await this.contexts.find(request.context ?? '', file)
        : await pastedContext(kubeconfig, request.context);
    const entry = await this.contexts.entryOf(context);
    const known = await this.clusters.list();
    const added = this.store.all();
    const same = added.find(
      (one) => context.file !== null && one.file === context.file && one.context === context.name,
    );
    if (same) {
      throw new DomainError('cluster_exists', `Context ${context.name} is already added as ${same.name}.`);
    }
    if (added.length >= MAX_CLUSTERS) {
      throw new DomainError(
        'cluster_exists',
        `There are ${MAX_CLUSTERS} external clusters already. Remove one first.`,
      );
    }
    const taken = new Set(known.map((cluster) => cluster.name));
    const name = request.name ?? freeClusterName(context.name, taken);
    if (taken.has(name)) {
      throw new DomainError(
        'cluster_exists',
        `There is already a cluster named ${name}. Choose another name.`,
      );
    }
    const cluster: ExternalCluster = {
      name,
      context: context.name,
      file: context.file,
      color,
      note,
      namespaces: [],
      history: [],
      changesAllowed: false,
      consent: null,
      identity: identityOf(entry),
      notice: null,
      addedAt: new Date().toISOString(),
    };
    this.record(
      name,
      'external-added',
      `Added ${name} from context ${context.name} of ${sourceOf(cluster)}.`,
    );
    this.store.add(cluster, kubeconfig === undefined ? undefined : textOfContext(context));
    await this.check(name);
    return await this.clusters.get(name, EXTERNAL_RUNTIME);
  }

  /**
   * Changes what the user decides about a cluster.
   * @throws DomainError `precondition_failed` if changes shall be allowed for a server or user that it no longer has
   */
  async change(name: string, request: ChangeExternalClusterDto): Promise<Cluster> {
    const { cluster, entry } = await this.current(this.stored(name));
    const { changes_allowed: allowed = cluster.changesAllowed, color, note, namespaces } = request;
    const isAllowing = request.changes_allowed === true;
    if (isAllowing && (!entry || request.identity !== shortIdentity(cluster))) {
      throw new DomainError(
        'precondition_failed',
        `Changes for ${name} were not allowed: its context leads to another server or user than the page showed, or is missing. Look at it again.`,
      );
    }
    const after: ExternalCluster = {
      ...cluster,
      ...(color === undefined ? {} : { color }),
      ...(note === undefined ? {} : { note }),
      ...(namespaces === undefined ? {} : { namespaces: [...new Set(namespaces)].sort() }),
      ...(request.history && { history: scopesOf(request.history) }),
      changesAllowed: allowed,
      notice: isAllowing ? null : cluster.notice,
    };
    if (allowed !== cluster.changesAllowed) {
      const message = allowed ? `Allowed changes in ${name}.` : `Turned changes in ${name} off.`;
      this.record(name, allowed ? 'external-changes-on' : 'external-changes-off', message);
    }
    this.store.update(after);
    if (request.history || request.namespaces) this.shareHistories();
    if (!allowed) this.endChanges(name);
    this.watcher.touch();
    return await this.clusters.get(name, EXTERNAL_RUNTIME);
  }

  /** Allows the plugin with exactly this fingerprint. @throws DomainError `precondition_failed` if it is another one */
  async consent(name: string, fingerprint: string): Promise<Cluster> {
    const { entry } = await this.current(this.stored(name));
    const run = entry && (await pluginRun(entry, this.configuration.environment));
    if (run?.fingerprint !== fingerprint) {
      throw new DomainError(
        'precondition_failed',
        `The plugin of ${name} was not allowed: its command has changed since the page showed it. Look at it again.`,
      );
    }
    this.record(name, 'external-consent', `Allowed ${run.path} to sign in to ${name}.`);
    this.store.update({ ...this.stored(name), consent: fingerprint });
    return await this.checked(name);
  }

  /** Connects to the server now. */
  async checked(name: string): Promise<Cluster> {
    this.stored(name);
    this.access.retry(name);
    await this.check(name);
    return await this.clusters.get(name, EXTERNAL_RUNTIME);
  }

  /** The plugin of a cluster; null without one, or while it is not found. */
  async plugin(name: string): Promise<ContextPluginDto | null> {
    const { cluster, entry } = await this.current(this.stored(name));
    const run = entry && (await pluginRun(entry, this.configuration.environment).catch(() => undefined));
    if (!run) return null;
    return {
      command: run.command,
      path: run.path,
      args: [...run.args],
      env: run.env.map((variable) => ({ ...variable })),
      fingerprint: run.fingerprint,
      allowed: run.fingerprint === cluster.consent,
    };
  }

  /** How much the Pods of a scope write. @throws DomainError `cluster_unreachable`, or why their logs cannot be read */
  async estimate(name: string, scope: PodScope): Promise<HistoryEstimateDto> {
    this.stored(name);
    return await estimateHistory(await this.podLogs(name), scope, this.configuration.values.logHistoryDays);
  }

  /**
   * Removes it from Slipway, with its connections and credentials. The cluster and the kubeconfig stay.
   * @param withLogs whether stored lines are deleted too
   */
  async remove(name: string, withLogs: boolean): Promise<void> {
    this.stored(name);
    this.record(
      name,
      'external-removed',
      `Removed ${name} from Slipway${withLogs ? ' with its stored lines' : ''}.`,
    );
    this.store.remove(name);
    this.shareHistories();
    if (withLogs) this.histories.deleteLines(name);
    this.endChanges(name);
    this.access.forget(name);
    this.contexts.forget(name);
    const key = { name, runtime: EXTERNAL_RUNTIME };
    await this.hooks.afterRemoval(key, { log: () => undefined, warn: (text) => this.logger.warning(text) });
    this.watcher.touch();
  }

  /** @throws DomainError `cluster_not_found` */
  private stored(name: string): ExternalCluster {
    const found = this.find(name);
    if (found) return found;
    throw removedError(name);
  }

  /** Closes shells, and cancels jobs that would go on changing it. */
  private endChanges(name: string): void {
    this.changesOff.next(name);
    for (const { id, cluster, runtime } of this.jobs.active()) {
      if (cluster === name && runtime === EXTERNAL_RUNTIME) this.jobs.cancel(id);
    }
  }

  /** @throws DomainError `cluster_unreachable`, `consent_required` or `kubeconfig_unusable` */
  private async accessOf(name: string): Promise<ContextAccess> {
    const before = this.stored(name);
    const { cluster, entry, problem } = await this.current(before);
    // The request was meant for the server of before.
    if (entry && cluster.identity !== before.identity) {
      throw new DomainError(
        'cluster_unreachable',
        `The context of ${name} has just changed. Look at it again.`,
      );
    }
    if (!entry) throw new DomainError('cluster_unreachable', problem?.message ?? `${name} has no context.`);
    return await this.access.of(name, entry, cluster);
  }

  private async podLogs(name: string): Promise<PodLogs> {
    const kubeconfig = await this.accessOf(name);
    return await this.gateways.for('kind').podLogs({ name, runtime: EXTERNAL_RUNTIME, kubeconfig });
  }

  /** Tells the log board whose lines to store. */
  private shareHistories(): void {
    const chosen = this.store.all().filter(({ history }) => history.length > 0);
    this.histories.set(
      chosen.map(({ name, history, addedAt, identity }) => ({
        cluster: name,
        scopes: history,
        generation: JSON.stringify([addedAt, identity, history]),
        connect: () => this.podLogs(name),
      })),
    );
  }

  private checkEventually(name: string): void {
    this.check(name).catch((error: unknown) => this.logger.failure(`${name} could not be asked`, error));
  }

  private async check(name: string): Promise<void> {
    const cluster = this.find(name);
    const now = cluster && (await this.current(cluster));
    if (!now?.entry || !this.find(name)) return;
    if (await this.access.check(name, now.entry, now.cluster)) this.watcher.touch();
  }

  private async facts(): Promise<ExternalFacts[]> {
    const found = await Promise.all(
      this.store.all().map(async (stored): Promise<ExternalFacts[]> => {
        try {
          return [describe(await this.current(stored), this.access.last(stored.name))];
        } catch (error) {
          // Removed meanwhile.
          if (hasCode(error, 'cluster_not_found')) return [];
          throw error;
        }
      }),
    );
    return found.flat();
  }

  /** Reads the context. If it leads elsewhere than before, changes are turned off, and the cluster gets a notice. */
  private async current(stored: ExternalCluster): Promise<Current> {
    let entry: ContextEntry;
    try {
      entry = await this.contexts.ofCluster(stored);
    } catch (error) {
      const problem =
        error instanceof UnsealError
          ? new DomainError(
              'kubeconfig_unusable',
              'The stored kubeconfig was modified outside Slipway. Add the cluster again.',
            )
          : error;
      if (!(problem instanceof DomainError)) throw error;
      this.access.close(stored.name);
      return { cluster: stored, entry: undefined, problem };
    }
    const identity = identityOf(entry);
    // Another request may have changed it meanwhile, or removed it.
    const now = this.find(stored.name);
    if (now?.addedAt !== stored.addedAt) throw removedError(stored.name);
    if (identity === now.identity) return { cluster: now, entry, problem: undefined };
    const notice = `The context leads to another server, certificate authority or user since ${new Date().toISOString()}.${now.changesAllowed ? ' Changes were turned off.' : ''}`;
    const cluster = { ...now, identity, consent: null, changesAllowed: false, notice };
    this.store.update(cluster);
    this.access.forget(stored.name);
    this.endChanges(stored.name);
    this.shareHistories();
    this.journal.recordEventually({
      kind: 'external-changed',
      cluster: stored.name,
      runtime: EXTERNAL_RUNTIME,
      message: `Context ${stored.context} of ${stored.name} leads to another server, certificate authority or user.`,
    });
    this.checkEventually(stored.name);
    return { cluster, entry, problem: undefined };
  }

  private record(cluster: string, kind: string, message: string): void {
    this.journal.record({ kind, cluster, runtime: EXTERNAL_RUNTIME, message });
  }
}

function removedError(name: string): DomainError {
  return new DomainError('cluster_not_found', `There is no external cluster ${name}.`);
}
