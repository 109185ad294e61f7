import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Subject } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { DomainError, guardedInterval, hasCode, invalidField } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { EXTERNAL_RUNTIME } from '../../core/security/index.js';
import { UnsealError } from '../../core/secrets/index.js';
import {
  distributionOf,
  identityOf,
  pluginRun,
  readContext,
  type ContextAccess,
  type ContextEntry,
} from '../../drivers/contexts/index.js';
import {
  ClusterHooks,
  ClusterKubeconfigs,
  ClustersService,
  ClusterWatcher,
  type Cluster,
  type ExternalFacts,
} from '../clusters/index.js';
import { JournalService } from '../journal/index.js';
import { freeClusterName } from './cluster-names.js';
import { ContextsService } from './contexts.service.js';
import { ExternalAccess } from './external-access.js';
import { ExternalClusterStore, type ExternalCluster } from './external-cluster.store.js';
import type {
  AddExternalClusterDto,
  ChangeExternalClusterDto,
  ContextPluginDto,
} from './external-clusters.dto.js';

/** How often a server is asked whether it responds. */
const CHECK_MS = 30_000;
/** How often a plugin that failed is run again without a request of the user. */
const PLUGIN_MS = 10 * 60_000;
const MAX_CLUSTERS = 200;

/** A cluster with its context as it is now, or why there is none. */
interface Current {
  cluster: ExternalCluster;
  entry: ContextEntry | undefined;
  problem: DomainError | undefined;
}

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
    private readonly hooks: ClusterHooks,
    private readonly watcher: ClusterWatcher,
    private readonly journal: JournalService,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {
    clusters.external = () => this.facts();
    kubeconfigs.external = (name) => this.accessOf(name);
  }

  onApplicationBootstrap(): void {
    const check = (): void => {
      for (const { name } of this.store.all()) {
        // Each call of a plugin that fails could open a browser.
        const { code = null, checkedAt = '' } = this.access.last(name) ?? {};
        const isPluginFailure = code === 'command_failed' || code === 'command_unavailable';
        if (!isPluginFailure || Date.now() - Date.parse(checkedAt) > PLUGIN_MS) this.checkEventually(name);
      }
    };
    check();
    this.timer = guardedInterval(check, CHECK_MS, 'ask external clusters').unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.changesOff.complete();
  }

  /** The stored cluster of this name; undefined if no external cluster has it. */
  find(name: string): ExternalCluster | undefined {
    return this.store.all().find((cluster) => cluster.name === name);
  }

  /** @throws DomainError `changes_off` if this is an external cluster for which changes are off */
  assertChanges(name: string): void {
    if (this.find(name)?.changesAllowed !== false) return;
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
        : await this.contexts.pasted(kubeconfig, request.context);
    const entry = readContext(context);
    const known = await this.clusters.list();
    const added = this.store.all();
    const same = added.find(
      (one) => context.file !== null && one.file === context.file && one.context === context.name,
    );
    if (same)
      throw new DomainError('cluster_exists', `Context ${context.name} is already added as ${same.name}.`);
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
    this.store.add(cluster, kubeconfig);
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
      changesAllowed: allowed,
      notice: isAllowing ? null : cluster.notice,
    };
    if (allowed !== cluster.changesAllowed) {
      const message = allowed ? `Allowed changes in ${name}.` : `Turned changes in ${name} off.`;
      this.record(name, allowed ? 'external-changes-on' : 'external-changes-off', message);
    }
    this.store.update(after);
    if (!allowed) this.changesOff.next(name);
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

  /** Asks the server now. */
  async checked(name: string): Promise<Cluster> {
    this.stored(name);
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

  /** Removes it from Slipway, with its connections and credentials. The cluster and the kubeconfig stay. */
  async remove(name: string): Promise<void> {
    this.stored(name);
    this.record(name, 'external-removed', `Removed ${name} from Slipway.`);
    this.store.remove(name);
    this.changesOff.next(name);
    this.access.forget(name);
    const key = { name, runtime: EXTERNAL_RUNTIME };
    await this.hooks.afterRemoval(key, { log: () => undefined, warn: (text) => this.logger.warning(text) });
    this.watcher.touch();
  }

  /** @throws DomainError `cluster_not_found` */
  private stored(name: string): ExternalCluster {
    const found = this.find(name);
    if (found) return found;
    throw new DomainError('cluster_not_found', `There is no external cluster ${name}.`);
  }

  /** @throws DomainError `cluster_unreachable`, `consent_required` or `kubeconfig_unusable` */
  private async accessOf(name: string): Promise<ContextAccess> {
    const { cluster, entry, problem } = await this.current(this.stored(name));
    if (!entry) throw new DomainError('cluster_unreachable', problem?.message ?? `${name} has no context.`);
    return await this.access.of(name, entry, cluster);
  }

  private checkEventually(name: string): void {
    this.check(name).catch((error: unknown) => this.logger.failure(`${name} could not be asked`, error));
  }

  private async check(name: string): Promise<void> {
    const cluster = this.find(name);
    const { entry } = cluster ? await this.current(cluster) : { entry: undefined };
    if (!cluster || !entry) return;
    if (await this.access.check(name, entry, cluster)) this.watcher.touch();
  }

  private async facts(): Promise<ExternalFacts[]> {
    return await Promise.all(
      this.store
        .all()
        .map(async (stored) => describe(await this.current(stored), this.access.last(stored.name))),
    );
  }

  /** Reads the context. If it leads elsewhere than before, changes are switched off and the user is told. */
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
    if (identity === stored.identity) return { cluster: stored, entry, problem: undefined };
    const notice = `The context leads to another server, certificate authority or user since ${new Date().toISOString()}.${stored.changesAllowed ? ' Changes were turned off.' : ''}`;
    const cluster = { ...stored, identity, consent: null, changesAllowed: false, notice };
    this.store.update(cluster);
    this.access.forget(stored.name);
    this.changesOff.next(stored.name);
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

function describe(
  { cluster, entry, problem }: Current,
  reached: ReturnType<ExternalAccess['last']>,
): ExternalFacts {
  const { name, addedAt } = cluster;
  const isMissing = hasCode(problem, 'context_not_found');
  const reason =
    problem?.message.replace(/\.$/, '') ?? (reached ? reached.reason : 'Slipway has not asked it yet');
  return {
    name,
    state: isMissing ? 'missing' : reason === null ? 'running' : 'unknown',
    reason,
    since: problem ? null : (reached?.since ?? null),
    version: reached?.version ?? null,
    addedAt,
    external: {
      context: cluster.context,
      file: cluster.file,
      server: entry?.server.href.replace(/\/$/, '') ?? null,
      user: entry?.userName ?? null,
      namespace: entry?.namespace ?? null,
      namespaces: cluster.namespaces,
      distribution: distributionOf(cluster.context, entry?.server ?? null),
      color: cluster.color,
      note: cluster.note,
      changes_allowed: cluster.changesAllowed,
      identity: shortIdentity(cluster),
      insecure: entry?.insecure ?? false,
      needs_consent:
        entry?.plugin != null && (cluster.consent === null || reached?.code === 'consent_required'),
      notice: cluster.notice,
      checked_at: reached?.checkedAt ?? null,
    },
  };
}

function shortIdentity({ identity }: ExternalCluster): string {
  return identity.slice(0, 16);
}

function sourceOf({ file }: ExternalCluster): string {
  return file ?? 'a pasted kubeconfig';
}
