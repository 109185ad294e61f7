import { Injectable } from '@nestjs/common';
import { DomainError, hasCode } from '../../../core/errors/index.js';
import { RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { JournalService } from '../../journal/index.js';
import { VersionsService } from '../../versions/index.js';
import { AdoptedConfigs } from '../adoption/adopted-configs.js';
import { warningsOf } from '../creation/check-problems.js';
import { ClusterDrafts, type ConfigDraft } from '../creation/cluster-drafts.js';
import { CreationChecks } from '../creation/creation-checks.js';
import { describeShape } from '../creation/creation-record.js';
import type { CheckProblemDto, ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import type { ClusterMeta } from '../inventory/cluster-meta.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ClusterWatcher } from '../inventory/cluster-watcher.js';
import {
  type ConfigProblem,
  furtherHostAccess,
  type HostAccess,
  kindConfigSchema,
  kindConfigYaml,
  type LabelChanges,
  labelChanges,
  refuseHostAccess,
} from '../../kind-config/index.js';
import { KeyedMutex } from '../../../core/threads/index.js';
import type { ConfigCheckDto, ConfigDto } from './cluster-config.dto.js';
import { etagOf, requireMatch } from './config-etag.js';

export interface TaggedConfig extends ConfigDto {
  etag: string;
}

export interface ConfigChange {
  text: string;
  /** The header `If-Match`. */
  match: string | undefined;
  acceptHostAccess: boolean;
}

interface CurrentConfig extends TaggedConfig {
  meta: ClusterMeta;
}

@Injectable()
export class ClusterConfigService {
  private readonly locks = new KeyedMutex();

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly drafts: ClusterDrafts,
    private readonly checks: CreationChecks,
    private readonly runtimes: RuntimeRegistry,
    private readonly versions: VersionsService,
    private readonly jobs: JobsService,
    private readonly journal: JournalService,
    private readonly watcher: ClusterWatcher,
    private readonly adopted: AdoptedConfigs,
  ) {}

  /** @throws DomainError `cluster_not_found`, `cluster_ambiguous` or `config_not_found` */
  async read(name: string, runtime?: string): Promise<TaggedConfig> {
    const { config, source, etag } = await this.current(await this.clusters.get(name, runtime));
    return { config, source, etag };
  }

  /** The config that the cluster was created from. @throws DomainError `config_not_found` if it is unknown. */
  async applied(name: string, runtime?: string): Promise<TaggedConfig> {
    const current = await this.current(await this.clusters.get(name, runtime));
    const config = await this.appliedText(current.meta, current.config);
    if (config === undefined) {
      throw new DomainError(
        'config_not_found',
        `The config that ${name} was created from is unknown, because no creation succeeded.`,
      );
    }
    return { config, source: current.source, etag: etagOf(config) };
  }

  /** The schema is the same for all clusters. @throws DomainError as `ClustersService.get` does */
  async schema(name: string, runtime?: string): Promise<object> {
    await this.clusters.get(name, runtime);
    return kindConfigSchema;
  }

  async check(name: string, runtime: string | undefined, text: string): Promise<ConfigCheckDto> {
    const cluster = await this.clusters.get(name, runtime);
    const current = await this.current(cluster);
    try {
      const draft = await this.draft(cluster, current, text);
      const access = await this.furtherAccess(current, draft);
      const { problems, warnings } = await this.hostChecks(cluster, draft);
      return {
        acceptable: true,
        problems: [],
        warnings: [...draft.warnings, ...warnings],
        host_problems: problems,
        host_access: access,
      };
    } catch (error) {
      if (!hasCode(error, 'config_refused')) throw error;
      const problems = error.details as ConfigProblem[];
      return { acceptable: false, problems, warnings: [], host_problems: [], host_access: [] };
    }
  }

  /** The checks of a recreation, of which this machine is the reason. Empty while the engine is unavailable. */
  private async hostChecks(
    { name, runtime: id }: Cluster,
    { config, places }: ConfigDraft,
  ): Promise<{ problems: CheckProblemDto[]; warnings: string[] }> {
    const runtime = this.runtimes.available().find((one) => one.id === id);
    if (!runtime) return { problems: [], warnings: [] };
    try {
      const nodes = (await runtime.listNodes()).filter(({ cluster }) => cluster === name);
      const existing = { nodes, replaced: nodes };
      const found = await this.checks.findings({ name, runtime, config, existing });
      return {
        problems: found.problems.map(({ error: _, ...problem }) => ({
          ...problem,
          ...places[problem.field],
        })),
        // Memory and disk are no matter of the text.
        warnings: [
          ...found.warnings,
          ...warningsOf(found.host.filter(({ name }) => name.startsWith('node-image'))),
        ],
      };
    } catch (error) {
      if (!hasCode(error, 'runtime_unavailable')) throw error;
      return { problems: [], warnings: [] };
    }
  }

  /**
   * Replaces the saved config. The nodes do not change until the next start.
   * @throws DomainError if the config cannot be replaced. The old config is then kept unchanged.
   */
  async replace(
    name: string,
    runtime: string | undefined,
    { text, match, acceptHostAccess }: ConfigChange,
  ): Promise<TaggedConfig & { config_changed: boolean }> {
    const cluster = await this.clusters.get(name, runtime);
    this.jobs.assertIdle(name, cluster.runtime);
    return await this.locks.run(`${cluster.runtime}/${name}`, async () => {
      const current = await this.current(cluster);
      const draft = await this.draft(cluster, current, text);
      if (!acceptHostAccess) refuseHostAccess(await this.furtherAccess(current, draft));
      requireMatch(match, current.etag, `The config of ${name}`);
      const changed =
        draft.configText === current.config && current.source === 'saved'
          ? current.meta.config_changed
          : await this.save(cluster, current, draft);
      return {
        config: draft.configText,
        source: 'saved',
        etag: etagOf(draft.configText),
        config_changed: changed,
      };
    });
  }

  /**
   * Brings the labels of the running nodes to those of the saved config.
   * @param work gets the changes by node, and what records the config as the one of the cluster once they are made
   * @throws DomainError `cluster_state` if the saved config changes no labels or something else too
   */
  async withLabelChanges<TResult>(
    name: string,
    runtime: string | undefined,
    work: (
      cluster: Cluster,
      changes: Map<string, LabelChanges>,
      record: () => Promise<void>,
    ) => Promise<TResult>,
  ): Promise<TResult> {
    const cluster = await this.clusters.get(name, runtime);
    this.jobs.assertIdle(name, cluster.runtime);
    return await this.locks.run(`${cluster.runtime}/${name}`, async () => {
      const { meta, config } = await this.current(cluster);
      const applied = meta.config_changed ? await this.appliedText(meta, config) : undefined;
      const [old, wanted] = await Promise.all(
        [applied ?? '', config].map((text) => kindConfigYaml.parseKindConfig(text)),
      );
      const changes = old?.parsed && wanted?.parsed && labelChanges(old.parsed.config, wanted.parsed.config);
      if (!changes) {
        throw new DomainError(
          'cluster_state',
          meta.config_changed
            ? `The saved config of ${name} does not change only labels of nodes. Start ${name} with its new config.`
            : `${name} already has its saved config.`,
          { state: cluster.state },
        );
      }
      return await work(cluster, changes, async () => {
        await this.store.replaceConfig(
          { ...meta, config_changed: false },
          { config, applied: config },
          () => {
            this.jobs.assertIdle(name, cluster.runtime);
          },
        );
        this.watcher.touch();
      });
    });
  }

  /** @returns whether the config now differs from the one that the cluster was created from. */
  private async save(cluster: Cluster, current: CurrentConfig, draft: ConfigDraft): Promise<boolean> {
    const { name, runtime } = cluster;
    const applied = await this.appliedText(current.meta, current.config);
    const changed = applied !== draft.configText;
    const meta: ClusterMeta = {
      ...current.meta,
      workers: draft.shape.workers,
      control_planes: draft.shape.controlPlanes,
      node_image_tag: draft.nodeImageTag,
      config_changed: changed,
    };
    try {
      // A cluster created outside Slipway has no folder yet.
      if (current.source === 'rebuilt') await this.store.writeMeta(current.meta);
      await this.store.replaceConfig(meta, { config: draft.configText, applied }, () => {
        // A job that started meanwhile must not get a different config.
        this.jobs.assertIdle(name, runtime);
        this.journal.record({
          kind: 'config',
          cluster: name,
          runtime,
          message: this.announce(draft, applied),
        });
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new DomainError('cluster_not_found', `${name} was deleted in the meantime.`, undefined, {
        cause: error,
      });
    }
    this.watcher.touch();
    return changed;
  }

  private announce(draft: ConfigDraft, applied: string | undefined): string {
    const shape = `Config saved: ${describeShape(draft.shape, draft.nodeImageTag?.split('@')[0])}.`;
    if (applied === undefined) return `${shape} The next creation uses it.`;
    return draft.configText === applied
      ? `${shape} It is the one that the cluster was created from.`
      : `${shape} It takes effect at the next start.`;
  }

  /** The saved config, or else one rebuilt from the containers of the cluster. */
  private async current({ name, runtime }: Cluster): Promise<CurrentConfig> {
    const meta = await this.store.read({ name, runtime });
    const config = meta && (await this.store.readConfig(meta));
    if (!meta || config === undefined) {
      const rebuilt = await this.adopted.rebuild({ name, runtime });
      if (rebuilt) {
        return { config: rebuilt.text, source: 'rebuilt', etag: etagOf(rebuilt.text), meta: rebuilt.meta };
      }
      throw new DomainError(
        'config_not_found',
        meta
          ? `The data folder no longer contains the saved config of ${name}.`
          : `${name} has no saved config because Slipway did not create it.`,
      );
    }
    return { config, source: 'saved', etag: etagOf(config), meta };
  }

  private async appliedText(meta: ClusterMeta, saved: string): Promise<string | undefined> {
    if (meta.creation !== 'created') return undefined;
    const kept = await this.store.readApplied(meta);
    return kept ?? (meta.config_changed ? undefined : saved);
  }

  private async draft(
    { name, runtime }: Cluster,
    { meta }: CurrentConfig,
    text: string,
  ): Promise<ConfigDraft> {
    return await this.drafts.readConfig(name, text, meta.node_image_tag ?? (await this.defaultTag(runtime)));
  }

  /** A config can be edited while its engine is unavailable, but then the default version is unknown. */
  private async defaultTag(runtime: string): Promise<string | null> {
    const driver = this.runtimes.available().find(({ id }) => id === runtime);
    return driver ? await this.versions.defaultTagFor(driver) : null;
  }

  private async furtherAccess({ config }: CurrentConfig, draft: ConfigDraft): Promise<HostAccess[]> {
    const { parsed } = await kindConfigYaml.parseKindConfig(config);
    return furtherHostAccess(draft.hostAccess, parsed ? this.drafts.hostAccessOf(parsed.config) : []);
  }
}
