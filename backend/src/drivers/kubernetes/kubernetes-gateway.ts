import type { ClusterKubeconfig } from './cluster-kubeconfig.js';
import type { PodLogs } from './pod-logs.js';
import type { ResourceApi } from './resource-api.js';

/** A cluster as the gateway reaches it. */
export interface ClusterTarget {
  name: string;
  runtime: string;
  /** Has the credentials of the cluster's administrator. Never logged, never part of an error. */
  kubeconfig: ClusterKubeconfig;
  /**
   * When nodes were last started, by their engine's clock. The API remembers them, and the pods on them, as
   * ready from before: they count once they have been heard of since.
   */
  startedAt?: Readonly<Record<string, string>>;
}

export interface NodeReadiness {
  name: string;
  ready: boolean;
  /** Kubernetes' own word where it is not: `KubeletNotReady`. */
  reason: string | null;
}

/** How far a cluster is from being usable. */
export interface ClusterReadiness {
  /** Whether `/readyz` of the API server answers ok. */
  apiReady: boolean;
  nodes: NodeReadiness[];
  /** Whether at least one pod of the cluster's DNS is ready; null where the API cannot tell. */
  dnsReady: boolean | null;
  /** What stands in the way, in a sentence. */
  reason: string | null;
}

/** What runs in a cluster beside its own parts. */
export interface ClusterWorkloads {
  /** Those that have not ended. */
  pods: number;
  /** Persistent volume claims. */
  volumeClaims: number;
}

/** The way to the clusters' own APIs. */
export abstract class KubernetesGateway {
  /** Which runtimes' clusters it reaches (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** Asks once, within a deadline; a cluster that does not answer is an answer too and not an error. */
  abstract readiness(target: ClusterTarget): Promise<ClusterReadiness>;

  /** Counts, within two seconds; null where the cluster does not tell. */
  abstract workloads(target: ClusterTarget): Promise<ClusterWorkloads | null>;

  /**
   * The way to a cluster's resources. One is kept for each cluster, until it is made again or forgotten.
   * @throws DomainError `cluster_unreachable` where the kubeconfig leads nowhere
   */
  abstract resources(target: ClusterTarget): Promise<ResourceApi>;

  /**
   * The way to what a cluster's pods write, kept as its resources are.
   * @throws DomainError `cluster_unreachable` where the kubeconfig leads nowhere
   */
  abstract podLogs(target: ClusterTarget): Promise<PodLogs>;

  /** Lets go of whatever is kept for a cluster. */
  abstract forget(name: string, runtime: string): void;
}

/** Chooses the gateway by what a runtime says of itself. */
export class GatewaySelector {
  constructor(private readonly gateways: readonly KubernetesGateway[]) {}

  for(kind: 'kind' | 'demo'): KubernetesGateway {
    const found = this.gateways.find((gateway) => gateway.kind === kind);
    if (!found) throw new Error(`no gateway for clusters of kind ${kind}`);
    return found;
  }
}
