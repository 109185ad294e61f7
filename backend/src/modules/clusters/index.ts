export { ClustersModule } from './clusters.module.js';
export { ClusterConfigService } from './config/cluster-config.service.js';
export { ChosenAddonDto, type CreateClusterDto } from './creation/create-cluster.dto.js';
export * from './creation/chosen-addons.js';
export { problemAt } from './creation/check-problems.js';
export {
  CLUSTER_STATES,
  ClusterDto,
  type CheckProblemDto,
  type ClusterDto as Cluster,
  type ClusterState,
  type PodCounts,
} from './inventory/cluster.dto.js';
export { CLUSTER_COLORS, type ClusterColor } from './inventory/external.dto.js';
export { type ExternalFacts } from './inventory/describe-external.js';
export { ClusterHooks, type ClusterHook } from './inventory/cluster-hooks.js';
export { ClusterKubeconfigs } from './inventory/cluster-kubeconfigs.js';
export { ClustersService } from './inventory/clusters.service.js';
export { ClusterStore, type ClusterKey } from './inventory/cluster.store.js';
export { ClusterWatcher } from './inventory/cluster-watcher.js';
export { NodeInventory } from './inventory/node-inventory.js';
export type { ClusterMeta } from './inventory/cluster-meta.js';
export { PortHolders } from './preflight/port-holders.js';
export { Preflight } from './preflight/preflight.js';
