import { clusterName, inCluster, runtime, UNTRUSTED } from '../input.js';
import { listOf } from '../output.js';
import { readTool, type Tool } from '../tool.js';

export const clusterTools: readonly Tool[] = [
  readTool({
    name: 'list_clusters',
    title: 'List clusters',
    description:
      "Lists the clusters of all container engines, and external clusters of the user's kubeconfigs, with their state, the reason for it, and how many workloads do not work. For external clusters, external.changes_allowed says whether tools can change them.",
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
    description:
      'Returns a cluster with the state of each node and its active job. Nodes of an external cluster are objects: use list_resources.',
    input: inCluster,
    run: async ({ cluster, runtime }, { dashboard }) => ({
      cluster: await dashboard.get('/api/v1/clusters/{name}', { name: cluster, runtime }),
    }),
  }),
  readTool({
    name: 'list_problems',
    title: 'List problems',
    description: `Lists what does not work in the running clusters: one entry per workload or other object, with the cause, evidence and the next step. Start here to find out what is wrong. ${UNTRUSTED}`,
    input: { cluster: clusterName.optional(), runtime },
    run: async ({ cluster, runtime: engine }, { dashboard }) => {
      const problems =
        cluster === undefined
          ? await dashboard.get('/api/v1/problems')
          : await dashboard.get('/api/v1/clusters/{name}/problems', { name: cluster, runtime: engine });
      return listOf('problems', problems, 'Narrow the list with cluster.');
    },
  }),
];
