export { ClustersModule } from './clusters.module.js';
export { ChosenAddonDto, ChosenAddons, problemAt } from './creation/index.js';
export type { AddonInstaller, AddonTarget, ChosenAddon, CreateClusterDto } from './creation/index.js';
export {
  CLUSTER_STATES,
  ClusterDto,
  ClusterHooks,
  ClusterKubeconfigs,
  ClustersService,
  ClusterStore,
  ClusterWatcher,
  NodeInventory,
} from './inventory/index.js';
export type {
  CheckProblemDto,
  Cluster,
  ClusterCheckDto,
  ClusterHook,
  ClusterKey,
  ClusterMeta,
  ClusterState,
} from './inventory/index.js';
export { PortHolders, Preflight } from './preflight/index.js';
