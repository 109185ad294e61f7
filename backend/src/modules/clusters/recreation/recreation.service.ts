import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import {
  assertAvailable,
  type NodeContainer,
  type RuntimeDriver,
  RuntimeRegistry,
} from '../../../drivers/runtime/index.js';
import { JobsService, type Job } from '../../jobs/index.js';
import type { ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { ownsNodes } from '../inventory/cluster-meta.js';
import { creationInput } from '../creation/creation-input.js';
import { CreationChecks } from '../creation/creation-checks.js';
import { problemsOf, warningsOf } from '../creation/check-problems.js';
import { readSavedConfig } from '../creation/saved-config.js';
import {
  configChanges,
  imagesOf,
  type KindConfig,
  kindConfigYaml,
  labelChanges,
  nodeImageTagOf,
  shapeOf,
} from '../../kind-config/index.js';
import { ImpactAnalysis, NOTHING_LOST } from './impact-analysis.js';
import type { RecreationInput } from './recreate-cluster.handler.js';
import type { LossesDto, RecreationCheckDto } from './recreation.dto.js';

@Injectable()
export class RecreationService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly checks: CreationChecks,
    private readonly jobs: JobsService,
    private readonly impact: ImpactAnalysis,
  ) {}

  /** @throws DomainError if a problem is known before the job starts. Nothing is changed then. */
  async recreate(name: string, runtime: string | undefined, keepOnFailure: boolean): Promise<Job> {
    const cluster = await this.clusters.get(name, runtime);
    return this.jobs.submit('recreate', cluster, await this.prepare(cluster, keepOnFailure));
  }

  /**
   * Input of a job that recreates a cluster.
   * @throws DomainError `cluster_busy`, `cluster_state` without a saved config, `config_refused`,
   * `runtime_unavailable` or `provisioner_unavailable`.
   */
  async prepare(cluster: Cluster, keepOnFailure = false): Promise<RecreationInput> {
    this.jobs.assertIdle(cluster.name, cluster.runtime);
    const config = await this.configOf(cluster);
    const runtime = this.runtimes.get(cluster.runtime);
    await assertAvailable(runtime);
    const provisioner = await this.provisioners.for(runtime).status();
    const input = await creationInput(cluster.name, runtime, config, provisioner, keepOnFailure);
    const replaced = await this.nodesOf(cluster, runtime);
    const { summary } = await this.lostWith(replaced, cluster, runtime);
    return { ...input, replaced: replaced.map(({ id, state }) => ({ id, state })), losses: summary };
  }

  async check(name: string, runtime?: string): Promise<RecreationCheckDto> {
    const cluster = await this.clusters.get(name, runtime);
    const problems: RecreationCheckDto['problems'] = [];
    const attempt = async <TResult>(
      field: string,
      ask: () => Promise<TResult>,
    ): Promise<TResult | undefined> => {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        problems.push(...problemsOf(error, field));
        return undefined;
      }
    };
    await attempt('cluster', async () => this.jobs.assertIdle(cluster.name, cluster.runtime));
    const config = await attempt('config', () => this.configOf(cluster));
    const engine = await attempt('runtime', () => this.checkEngine(cluster, config));
    problems.push(...(engine?.problems ?? []));
    const shape = config && shapeOf(config);
    return {
      acceptable: problems.length === 0,
      problems,
      warnings: engine?.warnings ?? [],
      losses: engine?.losses ?? NOTHING_LOST,
      ...(await this.changesOf(cluster, config)),
      becomes: shape
        ? {
            control_planes: shape.controlPlanes,
            workers: shape.workers,
            node_image_tag: nodeImageTagOf(imagesOf(config)[0]),
          }
        : null,
    };
  }

  private async changesOf(
    cluster: Cluster,
    config: KindConfig | undefined,
  ): Promise<Pick<RecreationCheckDto, 'changes' | 'labels_only'>> {
    const text = cluster.config_changed && config ? await this.store.readApplied(cluster) : undefined;
    const { parsed } = await kindConfigYaml.parseKindConfig(text ?? '');
    if (!parsed || !config) return { changes: [], labels_only: false };
    return {
      changes: configChanges(parsed.config, config),
      labels_only: labelChanges(parsed.config, config) !== undefined,
    };
  }

  private async checkEngine(
    cluster: Cluster,
    config: KindConfig | undefined,
  ): Promise<Pick<RecreationCheckDto, 'problems' | 'warnings' | 'losses'>> {
    const runtime = this.runtimes.get(cluster.runtime);
    await assertAvailable(runtime);
    const nodes = await this.nodesOf(cluster, runtime);
    const losses = await this.lostWith(nodes, cluster, runtime);
    if (!config) return { problems: [], warnings: [], losses };
    const existing = { nodes, replaced: nodes };
    const found = await this.checks.findings({ name: cluster.name, runtime, config, existing });
    const warnings = [...found.warnings, ...warningsOf(found.host)];
    return { problems: found.problems, warnings, losses };
  }

  private async configOf(cluster: Cluster): Promise<KindConfig> {
    if ((await this.store.readConfig(cluster)) === undefined) {
      throw new DomainError(
        'cluster_state',
        cluster.origin === 'adopted'
          ? `Slipway did not create ${cluster.name} and has no saved config for it. Review the config rebuilt from its containers, and save it first.`
          : `The saved config of ${cluster.name} no longer exists. Save a config first.`,
        { state: cluster.state },
      );
    }
    return await readSavedConfig(this.store, cluster);
  }

  private async lostWith(
    nodes: readonly NodeContainer[],
    cluster: Cluster,
    runtime: RuntimeDriver,
  ): Promise<LossesDto> {
    return nodes.length > 0 ? await this.impact.find(cluster, runtime) : NOTHING_LOST;
  }

  /** The nodes that a recreation replaces. */
  private async nodesOf(cluster: Cluster, runtime: RuntimeDriver): Promise<NodeContainer[]> {
    if (!ownsNodes(await this.store.read(cluster))) return [];
    return (await runtime.listNodes()).filter((node) => node.cluster === cluster.name);
  }
}
