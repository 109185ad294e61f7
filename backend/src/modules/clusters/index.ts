export { assertAnswers } from './assert-answers.js';
export type { ClusterMeta } from './cluster-meta.js';
export { ClusterWatcher } from './cluster-watcher.js';
export { ChosenAddons } from './creation/chosen-addons.js';
export type {
  AddonGround,
  AddonInstaller,
  ChosenAddon,
  ChosenAddonProblem,
} from './creation/chosen-addons.js';
export { ApiClusterName, clusterName, RuntimeQueryDto } from './cluster-parameters.js';
export { ClusterDto } from './cluster.dto.js';
export { ChosenAddonDto } from './create-cluster.dto.js';
export { ClusterStore } from './cluster.store.js';
export type { ClusterKey } from './cluster.store.js';
export { CLUSTER_STATES } from './cluster.js';
export type { Cluster, ClusterState } from './cluster.js';
export { ClustersModule } from './clusters.module.js';
export { ClustersService } from './clusters.service.js';
export { KubeconfigService } from './kubeconfig/kubeconfig.service.js';
export { imagesOf } from './kind-config/kind-config.js';
export { readKindConfig } from './cluster-yaml.js';
export { NodeInventory } from './node-inventory.js';
export { patiently } from './patiently.js';
export { freeDisk, Preflight } from './preflight.js';
export type { HostFinding } from './preflight.js';
