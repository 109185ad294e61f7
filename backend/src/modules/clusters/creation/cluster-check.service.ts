import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { ClaimedPorts, Preflight } from '../preflight/index.js';
import { ChosenAddons } from './chosen-addons.js';
import { ClusterDrafts, type ClusterDraft } from './cluster-drafts.js';
import { type ClusterCheckDto, ClustersService } from '../inventory/index.js';
import type { CreateClusterDto } from './create-cluster.dto.js';
import type { ConfigProblem } from '../../kind-config/index.js';

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
      const problems = problemsOf(error);
      if (!problems) throw error;
      return { acceptable: false, problems, warnings: [], host_access: [], config: null };
    }
    const [clusters, taken, needed, host, provisioner] = await Promise.all([
      this.clusters.list(),
      this.preflight.takenPorts(draft.config),
      this.claimedPorts.warnings(draft.config, { name: draft.name, runtime: draft.runtime.id }),
      this.preflight.host(draft.runtime, draft.shape),
      this.provisioners.for(draft.runtime).status(),
    ]);
    const problems = taken.map(({ port: { where }, problem }) =>
      entry(request.config === undefined ? fieldOf(where, request) : where, problem),
    );
    const existing = clusters.find((cluster) => cluster.name === request.name);
    if (existing) problems.unshift(entry('name', `already exists in ${existing.runtime}`));
    const addons = await this.chosenAddons.check(request.addons ?? [], {
      runtime: draft.runtime.id,
      kubernetes: draft.nodeImageTag,
    });
    problems.push(...addons.problems);
    if (provisioner.problem) problems.push(entry('runtime', provisioner.problem.reason));
    return {
      acceptable: problems.length === 0,
      problems,
      warnings: [
        ...needed,
        ...[...this.preflight.nodeImages(draft.config, provisioner), ...host]
          .filter(({ level }) => level !== 'ok')
          .map(({ title, message }) => `${title}: ${message}.`),
        ...addons.warnings,
      ],
      host_access: draft.hostAccess,
      config: draft.configText,
    };
  }
}

function problemsOf(error: unknown): ClusterCheckDto['problems'] | undefined {
  if (!(error instanceof DomainError)) return undefined;
  if (error.code === 'config_refused') {
    return (error.details as ConfigProblem[]).map(({ path, problem, line, column }) => ({
      field: path || 'config',
      problem,
      line,
      column,
    }));
  }
  if (error.code === 'runtime_unavailable') return [entry('runtime', error.message)];
  return undefined;
}

function entry(field: string, problem: string): ClusterCheckDto['problems'][number] {
  return { field, problem, line: null, column: null };
}

/** Maps a path in the rendered config to the field of the request. */
function fieldOf(where: string, request: CreateClusterDto): string {
  const index = /extraPortMappings\[(\d+)\]/.exec(where)?.[1];
  return index !== undefined && request.port_mappings ? `port_mappings[${index}].host_port` : where;
}
