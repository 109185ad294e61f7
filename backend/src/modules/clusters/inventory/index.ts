export { ClusterHooks, type ClusterHook } from './cluster-hooks.js';
export { ClusterKubeconfigs } from './cluster-kubeconfigs.js';
export {
  adoptedMeta,
  newMeta,
  ownsNodes,
  parseMeta,
  type ClusterMeta,
  type WantedState,
} from './cluster-meta.js';
export { ClusterWatcher } from './cluster-watcher.js';
export {
  CLUSTER_STATES,
  type ClusterState,
  CheckProblemDto,
  ClusterCheckDto,
  ClusterDto,
  type ClusterDto as Cluster,
  DeletionDto,
  HostAccessDto,
  ObjectNamesDto,
  ProvisionLogDto,
  type RemovedDto,
} from './cluster.dto.js';
export { ClusterStore, type ClusterKey } from './cluster.store.js';
export { ClustersService } from './clusters.service.js';
export { explainNode, inKindsOrder } from './describe-cluster.js';
export { NodeInventory } from './node-inventory.js';
export {
  addressesOf,
  explainMisplaced,
  hasSeveralControlPlanes,
  misplaced,
  startOrder,
  stopOrder,
} from './node-order.js';
export { countedParts, describeOutcome, placeOf } from './outcome-message.js';
export { toProvisionLog } from './provision-log.js';
