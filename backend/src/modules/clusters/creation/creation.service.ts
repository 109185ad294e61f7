import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { KeyedMutex } from '../../../core/threads/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { assertAvailable } from '../../../drivers/runtime/index.js';
import { JobsService, type Job, type JobKind } from '../../jobs/index.js';
import { refuseHostAccess } from '../../kind-config/index.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { newMeta } from '../inventory/cluster-meta.js';
import type { ProvisionLogDto } from '../inventory/cluster.dto.js';
import { toProvisionLog } from '../inventory/provision-log.js';
import { ChosenAddons } from './chosen-addons.js';
import { ClusterDrafts, type ClusterDraft } from './cluster-drafts.js';
import type { CreateClusterDto } from './create-cluster.dto.js';
import { creationInput } from './creation-input.js';
import { createsNodes } from './creation-stages.js';

interface CreationOptions {
  kind: Extract<JobKind, 'create' | 'clone'>;
  keepOnFailure: boolean;
  extraInput?: object;
}

@Injectable()
export class CreationService {
  private readonly names = new KeyedMutex();

  constructor(
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly drafts: ClusterDrafts,
    private readonly provisioners: ProvisionerSelector,
    private readonly jobs: JobsService,
    private readonly chosenAddons: ChosenAddons,
  ) {}

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
      ...(addons.length > 0 ? { extraInput: { addons } } : {}),
    });
  }

  /**
   * Saves the config of a draft and starts the job that creates a cluster from it.
   * @throws DomainError if the name is taken or nothing can be created now. Nothing is changed then.
   */
  async start(draft: ClusterDraft, { kind, keepOnFailure, extraInput }: CreationOptions): Promise<Job> {
    return await this.names.run(draft.name, async () => {
      await assertAvailable(draft.runtime);
      await this.assertNameIsFree(draft.name);
      const provisioner = await this.provisioners.for(draft.runtime).status();
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
        return this.jobs.submit(kind, key, { ...input, ...extraInput });
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

  /** @throws DomainError `cluster_exists`, or `cluster_busy` if a job is active for the name. */
  private async assertNameIsFree(name: string): Promise<void> {
    this.jobs.assertIdle(name);
    const existing = (await this.clusters.list()).find((cluster) => cluster.name === name);
    if (!existing) return;
    const hint =
      existing.state === 'failed'
        ? 'Its last creation failed. Delete it first.'
        : 'Choose another name, or delete it first.';
    throw new DomainError('cluster_exists', `${name} already exists in ${existing.runtime}. ${hint}`, {
      runtime: existing.runtime,
      state: existing.state,
    });
  }
}
