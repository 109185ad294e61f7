export type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from './api-connection.js';
export { ApiServerGateway } from './api-server-gateway.js';
export { ClusterKubeconfig, CERTIFIED_NAME, type ClusterEndpoint } from './cluster-kubeconfig.js';
export { ConnectionPodLogs } from './connection-pod-logs.js';
export { ConnectionResources } from './connection-resources.js';
export { GatewaySelector, KubernetesGateway } from './kubernetes-gateway.js';
export type {
  ClusterReadiness,
  ClusterTarget,
  ClusterWorkloads,
  NodeReadiness,
} from './kubernetes-gateway.js';
export { quantityOf } from './quantity.js';
export { ForwardProxy } from './forward-proxy.js';
export { referenceOf } from './object-reference.js';
export { ResourceApi } from './resource-api.js';
export type {
  KubernetesObject,
  PatchType,
  Propagation,
  RemoveOptions,
  ResourceReference,
  ResourceTable,
  ResourceType,
  ResourceUsage,
  TableCell,
  TableChange,
  TableColumn,
  TableQuery,
  TableRow,
  TableWatch,
  TypeName,
  UsageOfNode,
  UsageOfPod,
  WatchEnding,
  WriteOptions,
  WrittenObject,
} from './resource-api.js';
export { countWorkloads } from './workload-count.js';
export { PodLogs } from './pod-logs.js';
export type { ContainerRole, LoggedPod, PodContainer, PodLogStart } from './pod-logs.js';
