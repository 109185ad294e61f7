import { inCluster } from '../input.js';
import { listOf } from '../output.js';
import { readTool, type Tool } from '../tool.js';

export const clusterTools: readonly Tool[] = [
  readTool({
    name: 'list_clusters',
    title: 'List clusters',
    description: 'Lists the clusters of all container engines with their state and the reason for it.',
    input: {},
    run: async (_input, { dashboard }) => {
      const clusters = await dashboard.get('/api/v1/clusters');
      const short = clusters.map(({ nodes, ...cluster }) => ({ ...cluster, nodes: nodes.length }));
      return listOf('clusters', short, 'Get one by its name with get_cluster.');
    },
  }),
  readTool({
    name: 'get_cluster',
    title: 'Get a cluster',
    description: 'Returns a cluster with the state of each node and its active job.',
    input: inCluster,
    run: async ({ cluster, runtime }, { dashboard }) => ({
      cluster: await dashboard.get('/api/v1/clusters/{name}', { name: cluster, runtime }),
    }),
  }),
];
