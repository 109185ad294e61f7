import type { ClusterKubeconfig } from '../kubernetes/index.js';
import type { ProcessTracking } from '../process/index.js';
import type { RuntimeDriver } from '../runtime/index.js';

/** A step of a creation, known before it begins. */
export interface ProvisionStep {
  name: string;
  title: string;
  /** Seconds that it usually takes. */
  weight: number;
}

/** What decides which steps a creation has. */
export interface ClusterShape {
  controlPlanes: number;
  workers: number;
  /** Whether kind leaves the network plugin to the user (`disableDefaultCNI`). */
  withoutDefaultNetwork: boolean;
}

export interface CreateRequest {
  name: string;
  /** The saved config. Creation runs from this file and nothing else. */
  configFile: string;
  /** Where the kubeconfig goes: private to this cluster, never the user's own. */
  kubeconfigFile: string;
  runtime: RuntimeDriver;
  shape: ClusterShape;
  onStep: (name: string) => void;
  tracking: ProcessTracking;
}

export interface LoadRequest {
  name: string;
  /** The node that takes the images. */
  node: string;
  /** An image archive, in Docker's format or OCI's. */
  archiveFile: string;
  runtime: RuntimeDriver;
  tracking: ProcessTracking;
}

export interface ProvisionerProblem {
  /** What is missing or too old, in a sentence. */
  reason: string;
  /** The command or the page that fixes it. */
  fix: string;
}

/** The program that makes clusters, as it was found. */
export interface ProvisionerStatus {
  name: string;
  version: string | null;
  problem: ProvisionerProblem | null;
  /** The node image tag that it uses when none is named. */
  defaultTag: string | null;
  /** Tags made for this version, the default among them. */
  fittingTags: string[];
  /** Minor versions of Kubernetes 1 between which those lie; null where that is not known. */
  kubernetesRange: { oldest: number; newest: number } | null;
  /** What it puts before several control planes, and would pull without a word; null where that is not known. */
  loadBalancerImage: string | null;
}

/** Turns containers into a Kubernetes cluster, and knows nothing of jobs or files beyond what it is given. */
export abstract class ClusterProvisioner {
  /** Which runtimes it serves (`RuntimeCapabilities.provisioner`). */
  abstract readonly kind: 'kind' | 'demo';

  /** How it stands on this machine. Never fails: what is missing is in the answer. */
  abstract status(): Promise<ProvisionerStatus>;

  /** The steps of a creation, in order. */
  abstract steps(shape: ClusterShape): ProvisionStep[];

  /** @throws CommandError or DomainError `provisioner_unavailable` */
  abstract create(request: CreateRequest): Promise<void>;

  /**
   * The kubeconfig of a running cluster, for the machine itself.
   * @throws Error that names the field where the node's own holds what is not allowed.
   */
  abstract kubeconfig(name: string, runtime: RuntimeDriver): Promise<ClusterKubeconfig>;

  /** Puts the images of an archive into a node that runs. @throws CommandError or DomainError `provisioner_unavailable` */
  abstract loadArchive(request: LoadRequest): Promise<void>;
}

/** Chooses the provisioner of a runtime by what the runtime says of itself. */
export class ProvisionerSelector {
  constructor(private readonly provisioners: readonly ClusterProvisioner[]) {}

  for(runtime: RuntimeDriver): ClusterProvisioner {
    const { provisioner } = runtime.info().capabilities;
    const found = this.provisioners.find((candidate) => candidate.kind === provisioner);
    if (!found) throw new Error(`no provisioner for runtimes of kind ${provisioner}`);
    return found;
  }

  all(): readonly ClusterProvisioner[] {
    return this.provisioners;
  }
}
