import type { ClusterKubeconfig } from './cluster-kubeconfig.js';
import type { PodLogs } from './pod-logs.js';
import type { ResourceApi } from './resource-api.js';
import type { ServerAccess } from './server-access.js';

export interface ClusterTarget {
  name: string;
  runtime: string;
  /**
   * Has the credentials: of the cluster administrator of kind, or of a context of the user. Must never be logged or be part
   * of an error.
   */
  kubeconfig: ClusterKubeconfig | ServerAccess;
  /**
   * When nodes were last started, by their engine's clock. The API server still reports these nodes and their Pods as
   * ready, so they only count after a heartbeat since then.
   */
  startedAt?: Readonly<Record<string, string>>;
}

export interface NodeReadiness {
  name: string;
  ready: boolean;
  /** Kubernetes' reason if it is not ready: `KubeletNotReady`. */
  reason: string | null;
}

export interface ClusterReadiness {
  /** Whether `/readyz` of the API server returns ok. */
  apiReady: boolean;
  nodes: NodeReadiness[];
  /** Whether at least one Pod of the cluster DNS is ready; null if the API server is not ready. */
  dnsReady: boolean | null;
  reason: string | null;
}

/** The user's workloads in a cluster. */
export interface ClusterWorkloads {
  /** Pods that have not ended. */
  pods: number;
  volumeClaims: number;
}

export abstract class KubernetesGateway {
  /** The provisioner of its clusters (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** Checks the readiness once, within a deadline. A cluster that does not respond is not ready; there is no error. */
  abstract readiness(target: ClusterTarget): Promise<ClusterReadiness>;

  /**
   * The version of the API server, such as `v1.34.4`; null if this user may not see it.
   * @throws Error if the server does not respond, or does not accept the credentials
   */
  abstract version(target: ClusterTarget): Promise<string | null>;

  /** Counts workloads within 2 s; null if the cluster does not respond. */
  abstract workloads(target: ClusterTarget): Promise<ClusterWorkloads | null>;

  /**
   * The resources of a cluster. Cached until the cluster is recreated or forgotten.
   * @throws DomainError `cluster_unreachable` if the kubeconfig is unusable
   */
  abstract resources(target: ClusterTarget): Promise<ResourceApi>;

  /**
   * The Pod logs of a cluster. Cached like its resources.
   * @throws DomainError `cluster_unreachable` if the kubeconfig is unusable
   */
  abstract podLogs(target: ClusterTarget): Promise<PodLogs>;

  abstract forget(name: string, runtime: string): void;
}

export class GatewaySelector {
  constructor(private readonly gateways: readonly KubernetesGateway[]) {}

  for(kind: 'kind' | 'demo'): KubernetesGateway {
    const found = this.gateways.find((gateway) => gateway.kind === kind);
    if (!found) throw new Error(`no gateway for clusters of kind ${kind}`);
    return found;
  }
}
