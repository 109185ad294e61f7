import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import type { Job } from '../../jobs/index.js';
import { AdoptedConfigs } from '../adoption/adopted-configs.js';
import { ClaimedPorts } from '../preflight/claimed-ports.js';
import { ClusterDrafts, configRefused, type ClusterDraft } from '../creation/cluster-drafts.js';
import { CreationService } from '../creation/creation.service.js';
import { CreationChecks } from '../creation/creation-checks.js';
import type { ClusterDto as Cluster } from '../inventory/cluster.dto.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClusterStore } from '../inventory/cluster.store.js';
import { type KindConfig, kindConfigYaml, nodesOf } from '../../kind-config/index.js';
import type { CloneCheckDto, CloneClusterDto, PortMoveDto } from './clone.dto.js';
import { movePorts } from './port-moves.js';

interface Clone {
  source: Cluster;
  draft: ClusterDraft;
  moves: PortMoveDto[];
  warnings: string[];
}

@Injectable()
export class CloneService {
  constructor(
    private readonly clusters: ClustersService,
    private readonly creations: CreationService,
    private readonly drafts: ClusterDrafts,
    private readonly store: ClusterStore,
    private readonly checks: CreationChecks,
    private readonly claimedPorts: ClaimedPorts,
    private readonly adopted: AdoptedConfigs,
  ) {}

  async check(name: string, runtime: string | undefined, request: CloneClusterDto): Promise<CloneCheckDto> {
    const { draft, moves, warnings } = await this.prepare(name, runtime, request);
    const { problems } = await this.checks.findings(draft);
    return { acceptable: problems.length === 0, problems, moves, warnings, config: draft.configText };
  }

  /**
   * Saves the config of the clone and starts the job.
   * @param confirm throws if it may not reach the host, which it does as its source does
   * @throws DomainError as a creation does.
   */
  async clone(
    name: string,
    runtime: string | undefined,
    request: CloneClusterDto,
    confirm: () => void,
  ): Promise<Job> {
    const { source, draft, moves, warnings } = await this.prepare(name, runtime, request);
    if (draft.hostAccess.length > 0) confirm();
    return await this.creations.start(draft, {
      kind: 'clone',
      keepOnFailure: false,
      extraInput: { source: source.name, moves, warnings },
    });
  }

  private async prepare(name: string, runtime: string | undefined, request: CloneClusterDto): Promise<Clone> {
    const source = await this.clusters.get(name, runtime);
    const { parsed, problems } = await kindConfigYaml.parseKindConfig(await this.configOf(source));
    if (!parsed) throw configRefused(problems);
    const { text, config } = parsed;
    const moves = await movePorts(config, await this.claimedPorts.all());
    const draft = await this.drafts.prepare({
      name: request.name,
      runtime: request.runtime ?? source.runtime,
      config: await kindConfigYaml.cloneKindConfig(text, request.name, moves),
    });
    return { source, draft, moves, warnings: [...draft.warnings, ...sharedBy(config)] };
  }

  /** @throws DomainError `cluster_state` if the source has no config. */
  private async configOf(source: Cluster): Promise<string> {
    const saved = await this.store.readConfig(source);
    if (saved !== undefined) return saved;
    const rebuilt = await this.adopted.rebuild(source);
    if (rebuilt) return rebuilt.text;
    throw new DomainError(
      'cluster_state',
      `${source.name} has no saved config, and none could be rebuilt from its containers.`,
      { state: source.state },
    );
  }
}

/** Warnings about host folders that both clusters can write to. */
function sharedBy(config: KindConfig): string[] {
  const paths = nodesOf(config).flatMap(({ extraMounts = [] }) =>
    extraMounts.filter(({ readOnly }) => readOnly !== true).flatMap(({ hostPath }) => hostPath ?? []),
  );
  return [...new Set(paths)].map(
    (path) => `Both clusters mount ${path} of the host, and each can change what the other reads there.`,
  );
}
