import { EXTERNAL_RUNTIME } from '../../../core/security/index.js';
import type { ClusterDto, ClusterState, LastChangeDto, PodCounts } from './cluster.dto.js';
import type { ExternalDto } from './external.dto.js';

/** A cluster of a kubeconfig as it was last reached. */
export interface ExternalFacts {
  name: string;
  state: Extract<ClusterState, 'running' | 'unknown' | 'missing'>;
  reason: string | null;
  since: string | null;
  /** Such as `v1.34.4`. */
  version: string | null;
  addedAt: string;
  external: ExternalDto;
}

interface CountedFacts extends ExternalFacts {
  activeJobId: number | null;
  problems: number | null;
  pods: PodCounts | null;
  lastChange: LastChangeDto | null;
}

/** A cluster without nodes and life cycle, which Slipway does not know of such a cluster. */
export function describeExternal(facts: CountedFacts): ClusterDto {
  const { name, state, version, external } = facts;
  const problems = state === 'running' ? facts.problems : null;
  return {
    name,
    runtime: EXTERNAL_RUNTIME,
    state,
    state_reason: facts.reason,
    origin: 'external',
    control_planes: 0,
    workers: 0,
    node_image_tag: null,
    kubernetes_version: version,
    config_changed: false,
    stopped_unexpectedly: false,
    api_server: external.server,
    ports: [],
    created_at: facts.addedAt,
    state_since: facts.since,
    active_job_id: facts.activeJobId,
    problems,
    needs_attention: state !== 'running' || (problems ?? 0) > 0,
    pods: state === 'running' ? facts.pods : null,
    last_change: facts.lastChange,
    nodes_kept: false,
    nodes: [],
    external,
  };
}
