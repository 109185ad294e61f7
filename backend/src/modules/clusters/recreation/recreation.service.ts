import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { assertUsable, ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { assertAvailable, type RuntimeDriver, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { JobsService, type Job } from '../../jobs/index.js';
import { type Cluster, ClustersService, ClusterStore, ownsNodes } from '../inventory/index.js';
import { ClaimedPorts, Preflight } from '../preflight/index.js';
import { growth, readSavedConfig, type ReplacedNode } from '../creation/index.js';
import {
  type ConfigProblem,
  imagesOf,
  requiredImages,
  type KindConfig,
  nodeImageTagOf,
  shapeOf,
} from '../../kind-config/index.js';
import { describeLosses, ImpactAnalysis, NOTHING_LOST, type Losses } from './impact-analysis.js';
import { RecreateClusterHandler, type RecreationInput } from './recreate-cluster.handler.js';
import type { RecreationCheckDto } from './recreation.dto.js';

/** Recreates clusters from their saved configs, and checks beforehand what that deletes. */
@Injectable()
export class RecreationService implements OnModuleInit {
  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly preflight: Preflight,
    private readonly claimedPorts: ClaimedPorts,
    private readonly jobs: JobsService,
    private readonly handler: RecreateClusterHandler,
    private readonly losses: ImpactAnalysis,
  ) {}

  onModuleInit(): void {
    this.jobs.register(this.handler);
  }

  /** @throws DomainError if a problem is known before the job starts. Nothing is changed then. */
  async recreate(name: string, runtime: string | undefined, keepOnFailure: boolean): Promise<Job> {
    const cluster = await this.clusters.get(name, runtime);
    const input = await this.prepare(cluster, keepOnFailure);
    return this.jobs.submit({
      kind: this.handler.kind,
      runtime: cluster.runtime,
      cluster: cluster.name,
      input,
    });
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
    const status = await this.provisioners.for(runtime).status();
    assertUsable(status);
    const replaced = await this.replacedBy(cluster, runtime);
    const [present, lost] = await Promise.all([
      Promise.all(requiredImages(config, status).map((image) => runtime.hasImage(image))),
      this.lostWith(replaced, cluster, runtime),
    ]);
    return {
      name: cluster.name,
      runtime: cluster.runtime,
      shape: shapeOf(config),
      imagesPresent: present.every(Boolean),
      keepOnFailure,
      version: nodeImageTagOf(imagesOf(config)[0])?.split('@')[0] ?? null,
      replaced,
      losses: describeLosses(lost),
    };
  }

  /** Whether a cluster can be recreated, and what that deletes. */
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
        problems.push(...toProblems(field, error));
        return undefined;
      }
    };
    await attempt('cluster', async () => this.jobs.assertIdle(cluster.name, cluster.runtime));
    const config = await attempt('config', () => this.configOf(cluster));
    const engine = await attempt('runtime', () => this.lookAt(cluster, config));
    problems.push(...(engine?.problems ?? []));
    const lost = engine?.lost ?? NOTHING_LOST;
    return {
      acceptable: problems.length === 0,
      problems,
      warnings: engine?.warnings ?? [],
      losses: {
        containers: lost.containers,
        volumes: lost.volumes,
        pods: lost.workloads?.pods ?? null,
        volume_claims: lost.workloads?.volumeClaims ?? null,
        summary: describeLosses(lost),
      },
      becomes: config ? { ...rolesOf(config), node_image_tag: nodeImageTagOf(imagesOf(config)[0]) } : null,
    };
  }

  private async lookAt(
    cluster: Cluster,
    config: KindConfig | undefined,
  ): Promise<{ problems: RecreationCheckDto['problems']; warnings: string[]; lost: Losses }> {
    const runtime = this.runtimes.get(cluster.runtime);
    await assertAvailable(runtime);
    const replaced = await this.replacedBy(cluster, runtime);
    const lost = await this.lostWith(replaced, cluster, runtime);
    const { problem } = await this.provisioners.for(runtime).status();
    const problems = problem ? [entry('runtime', problem.reason)] : [];
    if (!config) return { problems, warnings: [], lost };
    const nodes = (await runtime.listNodes()).filter(({ id }) => replaced.some((node) => node.id === id));
    const taken = await this.preflight.takenPorts(config, nodes);
    problems.push(...taken.map(({ port, problem: reason }) => entry(port.where, reason)));
    const host = await this.preflight.host(runtime, growth(shapeOf(config), nodes));
    return {
      problems,
      warnings: [
        ...(await this.claimedPorts.warnings(config, cluster)),
        ...host.filter(({ level }) => level !== 'ok').map(({ title, message }) => `${title}: ${message}.`),
      ],
      lost,
    };
  }

  /** @throws DomainError `cluster_state` or `config_refused` */
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
    replaced: readonly ReplacedNode[],
    cluster: Cluster,
    runtime: RuntimeDriver,
  ): Promise<Losses> {
    return replaced.length > 0 ? await this.losses.find(cluster, runtime) : NOTHING_LOST;
  }

  private async replacedBy(cluster: Cluster, runtime: RuntimeDriver): Promise<ReplacedNode[]> {
    if (!ownsNodes(await this.store.read(cluster))) return [];
    const nodes = await runtime.listNodes();
    return nodes
      .filter((node) => node.cluster === cluster.name)
      .map(({ id, name, state }) => ({ id, name, state }));
  }
}

function rolesOf(config: KindConfig): { control_planes: number; workers: number } {
  const { controlPlanes, workers } = shapeOf(config);
  return { control_planes: controlPlanes, workers };
}

function toProblems(field: string, error: DomainError): RecreationCheckDto['problems'] {
  if (error.code !== 'config_refused' || !Array.isArray(error.details)) {
    return [entry(field, reasonOf(error))];
  }
  return (error.details as ConfigProblem[]).map(({ path, problem, line, column }) => ({
    field: path || field,
    problem,
    line,
    column,
  }));
}

function entry(field: string, problem: string): RecreationCheckDto['problems'][number] {
  return { field, problem, line: null, column: null };
}
