import { Injectable } from '@nestjs/common';
import { hasCode } from '../../../core/errors/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { ClaimedPorts } from '../preflight/claimed-ports.js';
import { Preflight } from '../preflight/preflight.js';
import { nameProblems, problemAt, problemsOf, warningsOf } from './check-problems.js';
import { ChosenAddons } from './chosen-addons.js';
import { ClusterDrafts, type ClusterDraft } from './cluster-drafts.js';
import type { ClusterCheckDto } from '../inventory/cluster.dto.js';
import { ClustersService } from '../inventory/clusters.service.js';
import type { CreateClusterDto } from './create-cluster.dto.js';

/** Checks a creation request without creating anything, for the form in the dashboard. */
@Injectable()
export class ClusterCheckService {
  constructor(
    private readonly drafts: ClusterDrafts,
    private readonly clusters: ClustersService,
    private readonly provisioners: ProvisionerSelector,
    private readonly preflight: Preflight,
    private readonly claimedPorts: ClaimedPorts,
    private readonly chosenAddons: ChosenAddons,
  ) {}

  async check(request: CreateClusterDto): Promise<ClusterCheckDto> {
    let draft: ClusterDraft;
    try {
      draft = await this.drafts.prepare(request);
    } catch (error) {
      if (!hasCode(error, 'config_refused', 'runtime_unavailable')) throw error;
      const problems = problemsOf(error, error.code === 'config_refused' ? 'config' : 'runtime');
      return { acceptable: false, problems, warnings: [], host_access: [], config: null };
    }
    const [clusters, taken, needed, host, provisioner] = await Promise.all([
      this.clusters.list(),
      this.preflight.takenPorts(draft.config),
      this.claimedPorts.warnings(draft.config, { name: draft.name, runtime: draft.runtime.id }),
      this.preflight.host(draft.runtime, draft.shape),
      this.provisioners.for(draft.runtime).status(),
    ]);
    const problems = [
      ...nameProblems(request.name, clusters),
      ...taken.map(({ port: { where }, problem }) =>
        problemAt(request.config === undefined ? fieldOf(where, request) : where, problem),
      ),
    ];
    const addons = await this.chosenAddons.check(request.addons ?? [], {
      runtime: draft.runtime.id,
      kubernetes: draft.nodeImageTag,
    });
    problems.push(...addons.problems);
    if (provisioner.problem) problems.push(problemAt('runtime', provisioner.problem.reason));
    return {
      acceptable: problems.length === 0,
      problems,
      warnings: [
        ...needed,
        ...warningsOf([...this.preflight.nodeImages(draft.config, provisioner), ...host]),
        ...addons.warnings,
      ],
      host_access: draft.hostAccess,
      config: draft.configText,
    };
  }
}

/** Maps a path in the rendered config to the field of the request. */
function fieldOf(where: string, request: CreateClusterDto): string {
  const index = /extraPortMappings\[(\d+)\]/.exec(where)?.[1];
  return index !== undefined && request.port_mappings ? `port_mappings[${index}].host_port` : where;
}
