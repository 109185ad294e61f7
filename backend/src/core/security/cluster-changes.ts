import { SetMetadata } from '@nestjs/common';

/** How a route uses a cluster of a kubeconfig. */
export type ClusterUse = 'kind-only' | 'change' | 'read';

const CLUSTER_USE = 'cluster-use';

/** Marks a route of the life cycle, or of nodes as containers, which clusters of kubeconfigs do not have. */
export const KindClustersOnly = (): MethodDecorator & ClassDecorator => SetMetadata(CLUSTER_USE, 'kind-only');

/** Marks a GET route that counts as a change, since it runs a program in a container. */
export const CountsAsChange = (): MethodDecorator & ClassDecorator => SetMetadata(CLUSTER_USE, 'change');

/** Marks a route that changes nothing in the cluster, although its method is not GET. */
export const KeepsCluster = (): MethodDecorator & ClassDecorator => SetMetadata(CLUSTER_USE, 'read');

/** By default, GET and HEAD read, and all else changes. @param owners the handler of a route, then its class */
export function clusterUse(owners: readonly object[], method: string): ClusterUse {
  for (const owner of owners) {
    const use = Reflect.getMetadata(CLUSTER_USE, owner) as ClusterUse | undefined;
    if (use) return use;
  }
  return method === 'GET' || method === 'HEAD' ? 'read' : 'change';
}
