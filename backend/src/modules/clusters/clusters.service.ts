import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DomainError } from '../../core/errors/index.js';
import { ProvisionerSelector } from '../../drivers/provisioner/index.js';
import { RuntimeRegistry } from '../../drivers/runtime/index.js';
import { isActive, JobsService, type Job, type JobKind } from '../jobs/index.js';
import { assertAnswers } from './assert-answers.js';
import { assertUsable } from './assert-usable.js';
import { ClusterDrafts, type ClusterDraft } from './cluster-draft.js';
import type { ClusterMeta } from './cluster-meta.js';
import type { CreateClusterDto } from './create-cluster.dto.js';
import { ClusterStore } from './cluster.store.js';
import type { Cluster } from './cluster.js';
import { CreateClusterHandler } from './creation/create-cluster.handler.js';
import { ChosenAddons } from './creation/chosen-addons.js';
import { makesNodes, type CreationInput } from './creation/creation-stages.js';
import {
  DeleteClusterHandler,
  type DeleteClusterInput,
  type RemovedParts,
} from './delete-cluster.handler.js';
import { describeCluster } from './describe-cluster.js';
import { refuseHostAccess } from './kind-config/host-access.js';
import { imagesToMake } from './kind-config/kind-config.js';
import { NameLocks } from './name-locks.js';
import { NodeInventory } from './node-inventory.js';
import { toProvisionLog, type ProvisionLog } from './provision-log.js';

/** How long a DELETE waits for its job; kind takes about a second. */
const DELETE_WAIT_MS = 30_000;

export type DeletionResult =
  { finished: true; job: Job; removed: RemovedParts } | { finished: false; job: Job };

interface Beginning {
  kind: Extract<JobKind, 'create' | 'clone'>;
  keepOnFailure: boolean;
  /** What the job's handler needs beside the input of a creation. */
  more?: object;
}

/** Clusters as a whole: what there is, making one, and deleting one. */
@Injectable()
export class ClustersService implements OnModuleInit {
  /** What `list` answered, each time that somebody asked. */
  readonly reads = new Subject<readonly Cluster[]>();
  private readonly names = new NameLocks();

  constructor(
    private readonly store: ClusterStore,
    private readonly inventory: NodeInventory,
    private readonly drafts: ClusterDrafts,
    private readonly runtimes: RuntimeRegistry,
    private readonly provisioners: ProvisionerSelector,
    private readonly jobs: JobsService,
    private readonly chosenAddons: ChosenAddons,
    private readonly createHandler: CreateClusterHandler,
    private readonly deleteHandler: DeleteClusterHandler,
  ) {}

  onModuleInit(): void {
    this.jobs.register(this.createHandler);
    this.jobs.register(this.deleteHandler);
  }

  /** Every cluster of every engine, and every saved one: read anew each time. */
  async list(): Promise<Cluster[]> {
    const [engines, metas] = await Promise.all([this.inventory.read(), this.store.list()]);
    const active = this.jobs.active();
    const clusters: Cluster[] = [];
    const described = new Set<string>();
    const add = (name: string, runtime: string, meta: ClusterMeta | undefined): void => {
      const key = `${runtime}/${name}`;
      if (described.has(key)) return;
      described.add(key);
      const engine = engines.find((candidate) => candidate.runtime === runtime);
      clusters.push(
        describeCluster({
          name,
          runtime,
          nodes: (engine?.nodes ?? []).filter((node) => node.cluster === name),
          meta,
          job: active.find((job) => job.cluster === name && job.runtime === runtime),
          engineReason: engine ? engine.reason : `${runtime} is not on this machine`,
          engineSince: engine?.since ?? null,
        }),
      );
    };
    for (const meta of metas) add(meta.name, meta.runtime, meta);
    for (const { runtime, nodes } of engines) {
      for (const { cluster } of nodes) add(cluster, runtime, undefined);
    }
    clusters.sort(
      (one, other) =>
        one.name.localeCompare(other.name, 'en', { numeric: true }) ||
        one.runtime.localeCompare(other.runtime),
    );
    this.reads.next(clusters);
    return clusters;
  }

  /** @throws DomainError `cluster_not_found`, or `cluster_ambiguous` where two engines hold the name and none is named. */
  async get(name: string, runtime?: string): Promise<Cluster> {
    const found = (await this.list()).filter(
      (cluster) => cluster.name === name && (runtime === undefined || cluster.runtime === runtime),
    );
    const [first, second] = found;
    if (!first) {
      throw new DomainError(
        'cluster_not_found',
        `There is no cluster called ${name}${runtime ? ` in ${runtime}` : ''}.`,
      );
    }
    if (second) {
      throw new DomainError(
        'cluster_ambiguous',
        `${found.map((cluster) => cluster.runtime).join(' and ')} each hold a cluster called ${name}. Say which with ?runtime=.`,
        {
          runtimes: found.map((cluster) => cluster.runtime),
        },
      );
    }
    return first;
  }

  /**
   * Saves the config and begins the creation.
   * @throws DomainError for everything that the request alone can show wrong; nothing is changed then.
   */
  async create(request: CreateClusterDto): Promise<Job> {
    const draft = await this.drafts.prepare(request);
    if (request.accept_host_access !== true) refuseHostAccess(draft.hostAccess);
    const addons = await this.chosenAddons.keep(request.addons ?? [], {
      runtime: draft.runtime.id,
      kubernetes: draft.nodeImageTag,
    });
    return await this.begin(draft, {
      kind: 'create',
      keepOnFailure: request.keep_on_failure === true,
      ...(addons.length > 0 ? { more: { addons } } : {}),
    });
  }

  /**
   * Saves the config of a draft and begins the job that makes a cluster from it.
   * @throws DomainError where its name is taken or nothing can be made now; nothing is changed then.
   */
  async begin(draft: ClusterDraft, { kind, keepOnFailure, more }: Beginning): Promise<Job> {
    return await this.names.run(draft.name, async () => {
      await assertAnswers(draft.runtime);
      await this.assertNameIsFree(draft.name);
      const status = await this.provisioners.for(draft.runtime).status();
      assertUsable(status);
      const images = imagesToMake(draft.config, status);
      const present = await Promise.all(images.map((image) => draft.runtime.hasImage(image)));
      // What stands where the config should be written is not ours to remove, so this is outside.
      const key = { name: draft.name, runtime: draft.runtime.id };
      await this.store.writeConfig(key, draft.configText);
      try {
        await this.saveMeta(draft);
        const input: CreationInput = {
          name: draft.name,
          runtime: draft.runtime.id,
          shape: draft.shape,
          imagesPresent: present.every(Boolean),
          keepOnFailure,
          version: draft.nodeImageTag?.split('@')[0] ?? null,
          ...more,
        };
        return this.jobs.submit({ kind, runtime: draft.runtime.id, cluster: draft.name, input });
      } catch (error) {
        await this.store.remove(key);
        throw error;
      }
    });
  }

  /** Deletes a cluster and waits for the end, up to half a minute. @throws DomainError */
  async delete(name: string, runtime?: string): Promise<DeletionResult> {
    const cluster = await this.get(name, runtime);
    // Asked here too, so that the answer is a plain 503 and not a job that fails.
    await assertAnswers(this.runtimes.get(cluster.runtime));
    const input: DeleteClusterInput = { name: cluster.name, runtime: cluster.runtime };
    const job = this.jobs.submit({ kind: 'delete', runtime: cluster.runtime, cluster: cluster.name, input });
    const ended = await this.waitFor(job.id);
    if (isActive(ended.state)) return { finished: false, job: ended };
    if (ended.state !== 'succeeded') {
      throw new DomainError(
        'cluster_not_deleted',
        `${name} was not deleted: ${ended.error?.message ?? `the job was ${ended.state}`}`,
        { job_id: ended.id, state: ended.state },
      );
    }
    const { containers = [], volumes = [], files = [] } = (ended.result ?? {}) as Partial<RemovedParts>;
    return { finished: true, job: ended, removed: { containers, volumes, files } };
  }

  /** The last creation, also while it is under way. @throws DomainError `cluster_not_found` or `provision_log_not_found` */
  async provisionLog(name: string, runtime?: string): Promise<ProvisionLog> {
    const cluster = await this.get(name, runtime);
    const job = this.jobs.activeOf(cluster.name, cluster.runtime);
    if (job && makesNodes(job)) return toProvisionLog(job, job.state, this.jobs.log(job.id), null);
    const log = await this.store.readProvisionLog(cluster);
    if (log) return log;
    throw new DomainError(
      'provision_log_not_found',
      `There is no provision log of ${name}: it was not created by Slipway, or the file is damaged.`,
    );
  }

  /** @throws DomainError `name` is taken, or a job is at work on it. */
  private async assertNameIsFree(name: string): Promise<void> {
    this.jobs.assertIdle(name);
    const existing = (await this.list()).find((cluster) => cluster.name === name);
    if (!existing) return;
    const hint =
      existing.state === 'failed'
        ? 'Its last creation failed; delete it first.'
        : 'Choose another name, or delete it first.';
    throw new DomainError('cluster_exists', `${name} exists already in ${existing.runtime}. ${hint}`, {
      runtime: existing.runtime,
      state: existing.state,
    });
  }

  private async saveMeta(draft: ClusterDraft): Promise<void> {
    await this.store.writeMeta({
      schema: 1,
      name: draft.name,
      runtime: draft.runtime.id,
      origin: 'created',
      workers: draft.shape.workers,
      control_planes: draft.shape.controlPlanes,
      node_image_tag: draft.nodeImageTag,
      config_changed: false,
      created_at: new Date().toISOString(),
      creation: 'creating',
      creation_reason: null,
      creation_ended_at: null,
      nodes_kept: false,
      nodes_begun: false,
      node_addresses: {},
      wanted: 'running',
      degraded_reason: null,
      degraded_since: null,
    });
  }

  private async waitFor(jobId: number): Promise<Job> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<Job>((resolve) => {
      timer = setTimeout(() => resolve(this.jobs.get(jobId)), DELETE_WAIT_MS);
    });
    try {
      return await Promise.race([this.jobs.whenEnded(jobId), patience]);
    } finally {
      clearTimeout(timer);
    }
  }
}
