import { Injectable } from '@nestjs/common';
import { DomainError, hasCode } from '../../../core/errors/index.js';
import { KeyedMutex } from '../../../core/threads/index.js';
import { JobsService, type Job, type JobKind } from '../../jobs/index.js';
import { refuseHostAccess } from '../../kind-config/index.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { newMeta } from '../inventory/cluster-meta.js';
import type { CreationCheckDto, ProvisionLogDto } from '../inventory/cluster.dto.js';
import { toProvisionLog } from '../inventory/provision-log.js';
import { problemsOf, warningsOf } from './check-problems.js';
import { ChosenAddons } from './chosen-addons.js';
import { ClusterDrafts, type ClusterDraft } from './cluster-drafts.js';
import type { CreateClusterDto } from './create-cluster.dto.js';
import { CreationChecks } from './creation-checks.js';
import { creationInput } from './creation-input.js';
import { CreationPlans } from './creation-plan.js';
import { createsNodes } from './creation-stages.js';

interface CreationOptions {
  kind: Extract<JobKind, 'create' | 'clone'>;
  keepOnFailure: boolean;
  acceptCgroupV1?: boolean;
  extraInput?: object;
}

@Injectable()
export class CreationService {
  private readonly names = new KeyedMutex();

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly drafts: ClusterDrafts,
    private readonly checks: CreationChecks,
    private readonly jobs: JobsService,
    private readonly chosenAddons: ChosenAddons,
    private readonly plans: CreationPlans,
  ) {}

  /** Checks a request without creating anything, for the form in the dashboard. */
  async check(request: CreateClusterDto): Promise<CreationCheckDto> {
    try {
      return await this.checkNow(request);
    } catch (error) {
      if (!hasCode(error, 'config_refused', 'runtime_unavailable')) throw error;
      const problems = problemsOf(error, error.code === 'config_refused' ? 'config' : 'runtime');
      return { acceptable: false, problems, warnings: [], host_access: [], config: null, plan: null };
    }
  }

  private async checkNow(request: CreateClusterDto): Promise<CreationCheckDto> {
    const draft = await this.drafts.prepare(request);
    const [found, addons] = await Promise.all([
      this.checks.findings({ ...draft, acceptCgroupV1: request.accept_cgroup_v1 }),
      this.chosenAddons.check(request.addons ?? [], {
        runtime: draft.runtime.id,
        kubernetes: draft.nodeImageTag,
      }),
    ]);
    const problems = [
      ...found.problems.map(({ error: _, ...problem }) => ({
        ...problem,
        field: request.config === undefined ? fieldOf(problem.field, request) : problem.field,
        ...draft.places[problem.field],
      })),
      ...addons.problems,
    ];
    const known = addons.problems.length === 0 ? (request.addons ?? []).map(({ addon }) => addon) : [];
    return {
      acceptable: problems.length === 0,
      problems,
      warnings: [...draft.warnings, ...found.warnings, ...warningsOf(found.host), ...addons.warnings],
      host_access: draft.hostAccess,
      config: draft.configText,
      plan: await this.plans.of(draft, found.provisioner, known),
    };
  }

  /**
   * Saves the config and starts the creation.
   * @throws DomainError if the request is invalid. Nothing is changed then.
   */
  async create(request: CreateClusterDto): Promise<Job> {
    const draft = await this.drafts.prepare(request);
    if (request.accept_host_access !== true) refuseHostAccess(draft.hostAccess);
    const addons = await this.chosenAddons.keep(request.addons ?? [], {
      runtime: draft.runtime.id,
      kubernetes: draft.nodeImageTag,
    });
    return await this.start(draft, {
      kind: 'create',
      keepOnFailure: request.keep_on_failure === true,
      acceptCgroupV1: request.accept_cgroup_v1 === true,
      ...(addons.length > 0 ? { extraInput: { addons } } : {}),
    });
  }

  /**
   * Saves the config of a draft and starts the job that creates a cluster from it.
   * @throws DomainError if the cluster cannot be created now. Nothing is changed then.
   */
  async start(
    draft: ClusterDraft,
    { kind, keepOnFailure, acceptCgroupV1 = false, extraInput }: CreationOptions,
  ): Promise<Job> {
    return await this.names.run(draft.name, async () => {
      const { problems, provisioner } = await this.checks.findings({ ...draft, acceptCgroupV1 });
      if (problems[0]) throw problems[0].error;
      const input = await creationInput(draft.name, draft.runtime, draft.config, provisioner, keepOnFailure);
      // Outside the try block: files that already exist at this path must not be removed.
      const key = { name: draft.name, runtime: draft.runtime.id };
      await this.store.writeConfig(key, draft.configText);
      try {
        await this.store.writeMeta(
          newMeta({
            ...key,
            origin: 'created',
            workers: draft.shape.workers,
            control_planes: draft.shape.controlPlanes,
            node_image_tag: draft.nodeImageTag,
            created_at: new Date().toISOString(),
          }),
        );
        return this.jobs.submit(kind, key, { ...input, acceptCgroupV1, ...extraInput });
      } catch (error) {
        await this.store.remove(key);
        throw error;
      }
    });
  }

  /**
   * The log of the last creation, also while it runs.
   * @throws DomainError `cluster_not_found` or `provision_log_not_found`
   */
  async provisionLog(name: string, runtime?: string): Promise<ProvisionLogDto> {
    const cluster = await this.clusters.get(name, runtime);
    const job = this.jobs.activeOf(cluster.name, cluster.runtime);
    if (job && createsNodes(job)) return toProvisionLog(job, job.state, this.jobs.log(job.id), null);
    const log = await this.store.readProvisionLog(cluster);
    if (log) return log;
    throw new DomainError(
      'provision_log_not_found',
      `${name} has no provision log. Slipway did not create the cluster, or the file is damaged.`,
    );
  }
}

/** Maps a path in the rendered config to the field of the request. */
function fieldOf(where: string, request: CreateClusterDto): string {
  if (where.endsWith('.image')) return 'node_image_tag';
  const index = /extraPortMappings\[(\d+)\]/.exec(where)?.[1];
  return index !== undefined && request.port_mappings ? `port_mappings[${index}].host_port` : where;
}
