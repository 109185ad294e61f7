import { DomainError } from '../../core/errors/index.js';
import type { ClusterKubeconfig } from '../kubernetes/index.js';
import type { ProcessTracking } from '../process/index.js';
import type { RuntimeDriver } from '../runtime/index.js';

export interface ProvisionStep {
  name: string;
  title: string;
  /** Typical duration in seconds. */
  weight: number;
}

/** Properties of a cluster that decide which steps its creation has. */
export interface ClusterShape {
  controlPlanes: number;
  workers: number;
  /** Whether the user installs the network plugin (`disableDefaultCNI`). */
  withoutDefaultNetwork: boolean;
}

export interface CreateRequest {
  name: string;
  configFile: string;
  /** The kubeconfig file to write. It only contains this cluster. */
  kubeconfigFile: string;
  runtime: RuntimeDriver;
  shape: ClusterShape;
  onStep: (name: string) => void;
  tracking: ProcessTracking;
}

export interface LoadRequest {
  name: string;
  node: string;
  /** An image archive in Docker or OCI format. */
  archiveFile: string;
  runtime: RuntimeDriver;
  tracking: ProcessTracking;
}

export interface ProvisionerStatus {
  name: string;
  version: string | null;
  /** Why it cannot be used, as a sentence, and the command or page that fixes it. */
  problem: { reason: string; fix: string } | null;
  /** The node image tag that it uses by default. */
  defaultTag: string | null;
  /** Tags built for this version, including the default. */
  fittingTags: string[];
  /** Minor versions of the Kubernetes 1 releases that it supports; null if unknown. */
  kubernetesRange: { oldest: number; newest: number } | null;
  /** The image that it runs in front of several control planes; null if unknown. */
  loadBalancerImage: string | null;
}

export abstract class ClusterProvisioner {
  /** The runtimes that it supports (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** Does not throw: problems are part of the status. */
  abstract status(): Promise<ProvisionerStatus>;

  abstract steps(shape: ClusterShape): ProvisionStep[];

  /** @throws CommandError or DomainError `provisioner_unavailable` */
  abstract create(request: CreateRequest): Promise<void>;

  /**
   * The kubeconfig of a running cluster, for the host.
   * @throws Error that names a field that is not allowed.
   */
  abstract kubeconfig(name: string, runtime: RuntimeDriver): Promise<ClusterKubeconfig>;

  /** Loads an image archive into a running node. @throws CommandError or DomainError `provisioner_unavailable` */
  abstract loadArchive(request: LoadRequest): Promise<void>;
}

export class ProvisionerSelector {
  constructor(private readonly provisioners: readonly ClusterProvisioner[]) {}

  for(runtime: RuntimeDriver): ClusterProvisioner {
    return this.ofKind(runtime.info().capabilities.provisioner);
  }

  /** The one for the engine of new clusters; kind while no engine is available. */
  forNewClusters(active: RuntimeDriver | undefined): ClusterProvisioner {
    return active ? this.for(active) : this.ofKind('kind');
  }

  private ofKind(kind: ClusterProvisioner['kind']): ClusterProvisioner {
    const found = this.provisioners.find((candidate) => candidate.kind === kind);
    if (!found) throw new Error(`no provisioner for runtimes of kind ${kind}`);
    return found;
  }
}

/** @throws DomainError `provisioner_unavailable` if the program that creates clusters is missing or unusable */
export function assertUsable({ problem }: ProvisionerStatus): void {
  if (!problem) return;
  throw new DomainError('provisioner_unavailable', `${problem.reason} Get it from ${problem.fix}`, problem);
}
