import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { assertAvailable, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { JobsService, type Job } from '../../jobs/index.js';
import type { RuntimeQueryDto } from '../../../core/api/index.js';
import type { ClusterDto as Cluster, ClusterState } from '../inventory/cluster.dto.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { RecreationService } from '../recreation/recreation.service.js';
import type { StartClusterInput } from './start-cluster.handler.js';
import type { StartQueryDto } from './start-query.dto.js';

export type LifecycleKind = 'start' | 'stop' | 'pause' | 'unpause';

const PARTICIPLES = { start: 'started', stop: 'stopped', pause: 'paused', unpause: 'unpaused' };

/** States in which each action is allowed, including those in which it does nothing. */
const POSSIBLE: Record<LifecycleKind, readonly ClusterState[]> = {
  start: ['running', 'stopped', 'degraded'],
  stop: ['stopped', 'running', 'degraded', 'paused'],
  pause: ['paused', 'running'],
  unpause: ['running', 'paused'],
};

const INSTEAD: Partial<Record<ClusterState, string>> = {
  creating: 'Wait until kind has created it.',
  failed: 'Its creation failed. Recreate it from its saved config, or delete it.',
  cancelled: 'Its creation was canceled. Recreate it from its saved config, or delete it.',
  missing: 'Its containers no longer exist. Recreate it from its saved config, or delete it.',
  paused: 'Unpause it.',
  stopped: 'Start it.',
  degraded: 'Start it to start its stopped nodes and unpause its paused ones.',
};

@Injectable()
export class LifecycleService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly runtimes: RuntimeRegistry,
    private readonly jobs: JobsService,
    private readonly recreations: RecreationService,
  ) {}

  /**
   * Starts the job. A start after a change of the config recreates the cluster unless the nodes are to be kept.
   * @throws DomainError `cluster_not_found`, `cluster_ambiguous`, `cluster_busy`, `cluster_state` or
   * `runtime_unavailable`; for a recreation also `config_refused` or `provisioner_unavailable`.
   */
  async submit(
    kind: LifecycleKind,
    name: string,
    { runtime, keep_nodes: keepsNodes = false }: RuntimeQueryDto & Partial<StartQueryDto>,
  ): Promise<Job> {
    const cluster = await this.clusters.get(name, runtime);
    this.jobs.assertIdle(cluster.name, cluster.runtime);
    // Checked before the job exists, so that the response is a 503 and not a failed job.
    await assertAvailable(this.runtimes.get(cluster.runtime));
    const reapplies = kind === 'start' && cluster.config_changed && !keepsNodes;
    if (!reapplies) assertPossible(kind, cluster);
    const input: StartClusterInput = {
      name: cluster.name,
      runtime: cluster.runtime,
      containers: cluster.nodes.length,
      members: cluster.control_planes + cluster.workers,
      ...(kind === 'start' && cluster.config_changed && keepsNodes ? { keepsChange: true } : {}),
      ...(reapplies ? { reapply: await this.recreations.prepare(cluster) } : {}),
    };
    return this.jobs.submit(kind, cluster, input);
  }
}

/** @throws DomainError `cluster_state` if the action is not possible in the state of the cluster. */
function assertPossible(kind: LifecycleKind, { name, state }: Cluster): void {
  if (POSSIBLE[kind].includes(state)) return;
  throw new DomainError(
    'cluster_state',
    [`${name} is ${state}, and cannot be ${PARTICIPLES[kind]}.`, INSTEAD[state] ?? ''].join(' ').trim(),
    { state },
  );
}
