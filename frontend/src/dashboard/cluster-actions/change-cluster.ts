import { type Api, clusterKey, type ClusterKey } from '../../shared/api/api';
import type { JobReferenceDto } from '../../shared/api/api-types';

/** `start` keeps the nodes; `reapply` recreates them from the changed config. */
export type ClusterChange = 'start' | 'reapply' | 'stop' | 'pause' | 'unpause' | 'recreate';

export function changeCluster(
  api: Pick<Api, 'send'>,
  cluster: ClusterKey,
  change: ClusterChange,
): Promise<JobReferenceDto> {
  const key = clusterKey(cluster);
  if (change === 'start') return api.send('POST /api/v1/clusters/{name}/start', { ...key, keep_nodes: true });
  return change === 'reapply'
    ? api.send('POST /api/v1/clusters/{name}/start', key)
    : api.send(`POST /api/v1/clusters/{name}/${change}`, key);
}
