import type { ClusterDto, ExternalDto, JobDto } from '../api/api-types';

/** Records of the API for specs: sound ones, with what a spec is about changed. */
export function aCluster(change: Partial<ClusterDto> = {}): ClusterDto {
  const name = change.name ?? 'staging';
  return {
    name,
    runtime: 'docker',
    state: 'running',
    state_reason: null,
    origin: 'created',
    control_planes: 1,
    workers: 1,
    node_image_tag: 'v1.34.4',
    kubernetes_version: 'v1.34.4',
    config_changed: false,
    stopped_unexpectedly: false,
    api_server: 'https://127.0.0.1:37655',
    ports: [],
    created_at: '2026-11-21T09:40:48.102Z',
    state_since: '2026-11-21T09:41:20.000Z',
    active_job_id: null,
    problems: null,
    needs_attention: false,
    pods: null,
    last_change: null,
    nodes_kept: false,
    nodes: [
      { name: `${name}-control-plane`, role: 'control-plane', state: 'running', address: null, image: '' },
      { name: `${name}-worker`, role: 'worker', state: 'running', address: null, image: '' },
    ],
    external: null,
    ...change,
  };
}

/** A cluster of a kubeconfig. */
export function anExternalCluster(
  change: Partial<ExternalDto> = {},
  cluster: Partial<ClusterDto> = {},
): ClusterDto & { external: ExternalDto } {
  const external: ExternalDto = {
    context: 'gke-prod',
    file: '/home/ada/.kube/config',
    server: 'https://34.89.1.2',
    user: 'ada',
    namespace: null,
    namespaces: [],
    distribution: 'GKE',
    color: 'red',
    note: '',
    changes_allowed: false,
    identity: '1f6a0c52d8e94b7a',
    history: [],
    insecure: false,
    needs_consent: false,
    notice: null,
    checked_at: null,
    ...change,
  };
  const base = aCluster({ name: 'prod', runtime: 'kubeconfig', origin: 'external', nodes: [], ...cluster });
  return { ...base, external };
}

export function aJob(change: Partial<JobDto> = {}): JobDto {
  return {
    id: 12,
    kind: 'create',
    cluster: 'staging',
    runtime: 'docker',
    title: 'Create staging',
    message: null,
    state: 'running',
    cancelling: false,
    progress_percent: 42.7,
    seconds_left: null,
    progress_step: 'Preparing nodes',
    progress_steps: [
      {
        name: 'preflight',
        title: 'Preflight checks',
        state: 'succeeded',
        started_at: '2026-11-21T09:40:48.200Z',
        finished_at: '2026-11-21T09:40:48.600Z',
        detail: null,
      },
      {
        name: 'preparing-nodes',
        title: 'Preparing nodes',
        state: 'running',
        started_at: '2026-11-21T09:40:48.600Z',
        finished_at: null,
        detail: null,
      },
    ],
    created_at: '2026-11-21T09:40:48.102Z',
    started_at: '2026-11-21T09:40:48.200Z',
    finished_at: null,
    warnings: [],
    problems: [],
    watched_until: null,
    error: null,
    result: null,
    ...change,
  };
}
