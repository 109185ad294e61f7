import type { ClusterDto, JobDto } from '../api/api-types';

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
    nodes_kept: false,
    nodes: [
      { name: `${name}-control-plane`, role: 'control-plane', state: 'running', address: null, image: '' },
      { name: `${name}-worker`, role: 'worker', state: 'running', address: null, image: '' },
    ],
    ...change,
  };
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
