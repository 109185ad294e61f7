export { apiRoute, directRoute, type ApiRoute } from './api-route.js';
export { ApiServerGateway } from './api-server-gateway.js';
export { ClusterKubeconfig, CERTIFIED_NAME, type ClusterEndpoint } from './cluster-kubeconfig.js';
export { ConnectionPodLogs } from './connection-pod-logs.js';
export { ConnectionResources } from './connection-resources.js';
export { PODS } from './pod-watch.js';
export { quantityOf } from './quantity.js';
export { LOOPBACK, type ForwardAddress } from './forward-address.js';
export { ForwardListener, type ListenerTarget } from './forward-listener.js';
export type { ForwardTraffic } from './open-sockets.js';
export { groupVersion, referenceOf } from './object-reference.js';
export {
  eventFieldsOf,
  labelSelectorOf,
  specOf,
  statusOf,
  templateOf,
  type Condition,
  type Container,
  type ContainerPort,
  type ContainerState,
  type ContainerStatus,
  type EventFields,
  type ObjectSpec,
  type ObjectStatus,
  type ServicePort,
} from './object-fields.js';
export { countWorkloads } from './workload-count.js';
export * from './resource-api.js';
export * from './pod-logs.js';
export * from './kubernetes-gateway.js';
export * from './api-connection.js';
