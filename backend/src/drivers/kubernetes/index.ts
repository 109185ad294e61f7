export { ApiServerGateway } from './api-server-gateway.js';
export { GatewaySelector, KubernetesGateway } from './kubernetes-gateway.js';
export type {
  ClusterReadiness,
  ClusterTarget,
  ClusterWorkloads,
  NodeReadiness,
} from './kubernetes-gateway.js';
