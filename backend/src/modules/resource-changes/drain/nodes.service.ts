import { Injectable } from '@nestjs/common';
import { JobsService, type Job } from '../../jobs/index.js';
import { ClusterResources, CORE_GROUP, isCordoned, yaml } from '../../resources/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import { findTarget, presentReference, type ChangeTarget } from '../change/change-target.js';
import type { ChangedResourceDto } from '../change/change.dto.js';
import { DRAIN_TIMEOUT_SECONDS, type DrainDto } from './drain.dto.js';
import type { DrainInput } from './drain.handler.js';
import { assertLossesAccepted } from './drain-losses.js';
import { planDrain } from './drain-plan.js';

export interface NodeAddress {
  cluster: string;
  runtime: string | undefined;
  node: string;
}

@Injectable()
export class NodesService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
    private readonly jobs: JobsService,
  ) {}

  async cordon(address: NodeAddress, cordoned: boolean): Promise<ChangedResourceDto> {
    const target = await this.find(address);
    const { api, cluster, type, reference } = target;
    const stored = await api.read(reference);
    const already = isCordoned(stored) === cordoned;
    const present = (message: string, warnings: string[]): ChangedResourceDto => ({
      ...presentReference(type, reference),
      message,
      warnings,
    });
    if (already) return present(cordoned ? 'The node is already cordoned.' : 'The node is not cordoned.', []);
    return await this.journal.during(
      {
        kind: cordoned ? 'node-cordon' : 'node-uncordon',
        cluster,
        reference,
        failure: `could not ${cordoned ? 'cordon' : 'uncordon'} node ${reference.name}`,
      },
      async () => {
        const spec = { unschedulable: cordoned ? true : null };
        const { object, warnings } = await api.patch(reference, 'merge', { spec });
        const others = cordoned ? await otherSchedulableNodes(target) : 1;
        return {
          result: present(
            cordoned
              ? 'No new pods are scheduled on the node. Existing pods stay until it is drained.'
              : 'New pods can be scheduled on the node.',
            [
              ...(others === 0 ? ['All other nodes are cordoned too. New pods stay pending.'] : []),
              ...warnings,
            ],
          ),
          message: cordoned
            ? `Cordoned node ${reference.name}. No new pods are scheduled on it.`
            : `Uncordoned node ${reference.name}. New pods can be scheduled on it.`,
          diff: await yaml.diffObjects(stored, object),
        };
      },
    );
  }

  /**
   * Starts a drain job.
   * @throws DomainError `confirmation_required` with the pods that would be lost, or `cluster_busy`
   */
  async drain(address: NodeAddress, request: DrainDto): Promise<Job> {
    const { api, cluster, reference } = await this.find(address);
    await api.read(reference);
    const { leave, losses } = await planDrain(api, reference.name);
    const input: DrainInput = {
      name: cluster.name,
      runtime: cluster.runtime,
      node: reference.name,
      pods: leave.length,
      graceSeconds: request.grace_period_seconds ?? null,
      timeoutSeconds: request.timeout_seconds ?? DRAIN_TIMEOUT_SECONDS,
      deleteEmptyDirData: request.delete_emptydir_data ?? false,
      force: request.force ?? false,
    };
    assertLossesAccepted(reference.name, losses, input);
    return this.jobs.submit('drain', cluster, input);
  }

  private async find({ cluster, runtime, node }: NodeAddress): Promise<ChangeTarget> {
    return await findTarget(this.resources, {
      cluster,
      runtime,
      group: CORE_GROUP,
      version: 'v1',
      plural: 'nodes',
      namespace: undefined,
      object: node,
    });
  }
}

async function otherSchedulableNodes({ api, type, reference }: ChangeTarget): Promise<number> {
  const nodes = await api.list(type);
  return nodes.filter((node) => node.metadata.name !== reference.name && !isCordoned(node)).length;
}
