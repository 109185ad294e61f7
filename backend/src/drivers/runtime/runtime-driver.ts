import type { Readable } from 'node:stream';
import type { ContainerLogs, NodeState } from './container-logs.js';
import type { RunningProgram } from './running-program.js';

/** Label of every node container. */
export const CLUSTER_LABEL = 'io.x-k8s.kind.cluster';
export const ROLE_LABEL = 'io.x-k8s.kind.role';

export type NodeRole = 'control-plane' | 'worker' | 'external-load-balancer';

/** The restart policy of a container: nothing, or restart it once after a failure. */
export type RestartPolicy = 'no' | 'on-failure';

export interface PublishedPort {
  hostAddress: string;
  hostPort: number;
  containerPort: number;
  protocol: string;
}

/** Features of a runtime. Callers check these and never the name of a runtime. */
export interface RuntimeCapabilities {
  provisioner: 'kind' | 'demo';
  rootless: boolean;
  /** Null if unknown. */
  cgroupVersion: 1 | 2 | null;
  /** Whether memory figures include the page cache, which the engine's API does not report separately. */
  memoryIncludesCache: boolean;
  /**
   * Host name of this machine in containers. Engines in a virtual machine and Podman from 5.3 provide it; elsewhere,
   * containers need `--add-host`.
   */
  hostAlias: string;
  /** Whether the restart policy of an existing container can be changed, so that nodes restart with the engine. */
  restartPolicies: boolean;
  /**
   * Whether a node can have a fixed address. Docker does not support this for kind's network, whose subnet it chose
   * itself, and assigns the first free address at each start; Podman assigns the next one.
   */
  fixedAddresses: boolean;
}

/** The container in which Slipway itself runs, with a network of its own. */
export interface ContainerOfSlipway {
  /** Configured ports. */
  ports: readonly PublishedPort[];
  /** Addresses of the host in the container's networks. */
  gateways: readonly string[];
}

export interface RuntimeInfo {
  version: string;
  capabilities: RuntimeCapabilities;
  /** The machine of the nodes, which may be a virtual machine. */
  host: RuntimeHost;
  /** How far the engine's clock is ahead of this machine's, in milliseconds. It can drift in a virtual machine. */
  clockOffsetMs: number;
  /** Null if Slipway does not run in a container of this engine. Then it reaches published ports on loopback. */
  ownContainer: ContainerOfSlipway | null;
}

interface RuntimeHost {
  cpuCores: number;
  memoryBytes: number;
  /** The engine's image folder, as a path on the engine's machine. */
  storagePath: string | null;
}

export interface NodeContainer {
  id: string;
  name: string;
  cluster: string;
  role: NodeRole;
  state: NodeState;
  /** Exit code of a container that has ended, otherwise null. */
  exitCode: number | null;
  outOfMemory: boolean;
  image: string;
  /** The engine's id of the image, `sha256:…`, which does not change when its tag moves. Null if unknown. */
  imageId: string | null;
  /** Address on kind's network; null if it has none. */
  address: string | null;
  ports: PublishedPort[];
  createdAt: string;
  /** Start of its state, if the engine reports it. */
  stateSince: string | null;
}

export interface NodeSettings {
  id: string;
  name: string;
  role: NodeRole;
  /** The image reference with which it was created. */
  image: string;
  /** Configured ports; `hostPort` is 0 if the engine chooses one at each start. */
  ports: PublishedPort[];
  mounts: NodeMount[];
  /** Variables for the node's entrypoint, `KIND_…`. Others may contain the password of a proxy and are omitted. */
  environment: Readonly<Record<string, string>>;
}

export interface NodeMount {
  hostPath: string;
  containerPath: string;
  readOnly: boolean;
  propagation: 'private' | 'rslave' | 'rshared';
  /** Whether the path was relabelled for SELinux. */
  relabelled: boolean;
}

/** Usage of a container. CPU time is cumulative, so a rate takes two samples. */
export interface NodeSample {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  cpuNanoseconds: number;
  memoryBytes: number;
  /** The limit of the container or, without one, of the machine. */
  memoryLimitBytes: number;
  networkRxBytes: number;
  networkTxBytes: number;
  blockReadBytes: number;
  blockWriteBytes: number;
}

export interface NodeEvent {
  /**
   * `oom`: the kernel killed a process of the node because memory ran out, in the node or in one of its Pods. For Podman,
   * only if the node itself ended by it and Podman knows, which version 4.3 on cgroup v1 does not; after its `die`.
   */
  action: 'start' | 'die' | 'oom' | 'pause' | 'unpause' | 'destroy' | 'create' | 'rename' | 'other';
  container: string;
  cluster: string;
  exitCode: number | null;
  time: string;
}

export interface PullProgress {
  pulledBytes: number;
  /** Grows while the engine reports more layers. */
  totalBytes: number;
  layers: number;
  layersDone: number;
}

export interface LocalImage {
  /** Repository and tag, as the engine writes it. */
  reference: string;
  /** `sha256:…` of the manifest, if known. */
  digests: string[];
  sizeBytes: number;
}

/** An image with all of its names. */
export interface EngineImage {
  /** `sha256:…` */
  id: string;
  /** Repositories and tags, as the engine writes them; empty for an untagged image. */
  references: string[];
  /** Repositories and digests, `app@sha256:…`, if it was pulled or pushed. */
  digests: string[];
  /** Uncompressed, including shared layers. */
  sizeBytes: number;
  createdAt: string | null;
  /** Go name, such as `amd64`; null if unknown. */
  architecture: string | null;
}

export interface EngineVolume {
  name: string;
  labels: Readonly<Record<string, string>>;
  createdAt: string | null;
  /** Names of all containers that mount it, including stopped ones. */
  usedBy: string[];
}

export interface NodeExecution {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface ClusterContainer {
  id: string;
  name: string;
  /** By the engine's clock, in whole seconds. */
  createdAt: string;
  volumes: string[];
}

/** A volume of a cluster's nodes. Engines give them random names, which are never reused. */
export interface ClusterVolume {
  name: string;
  /** Name of its node, if it has such a label. */
  node: string | null;
  /** By the engine's clock; null if unknown. */
  createdAt: string | null;
}

/** All objects of a cluster in an engine, regardless of who created them. */
export interface ClusterObjects {
  containers: ClusterContainer[];
  volumes: ClusterVolume[];
}

export interface ProviderSettings {
  provider: string;
  environment: Readonly<Record<string, string>>;
}

/**
 * A container runtime: containers, images and statistics, without Kubernetes. Every call has a deadline.
 * @throws DomainError `runtime_unavailable` with the reason if the runtime does not respond.
 */
export abstract class RuntimeDriver {
  /** Stable name, as stored for clusters: `docker`. */
  abstract readonly id: string;

  abstract readonly logs: ContainerLogs;

  abstract probe(deadlineMs?: number): Promise<RuntimeInfo>;

  /** Checks whether the engine responds, with the cheapest request. */
  abstract ping(deadlineMs?: number): Promise<void>;

  /** The result of the last probe. @throws DomainError `runtime_unavailable` before the first one. */
  abstract info(): RuntimeInfo;

  /**
   * The host name at which this process reaches the API server of a cluster on its container port. Null if it uses the
   * published port, because it does not run in a container of this engine; otherwise the container joins the network of
   * the nodes.
   * @throws DomainError `cluster_unreachable`
   */
  abstract apiHost(cluster: string): Promise<string | null>;

  /** All node containers of all clusters, including stopped ones. */
  abstract listNodes(): Promise<NodeContainer[]>;

  abstract inspectNodes(cluster: string): Promise<NodeSettings[]>;

  /**
   * Reads a small text file from a running or stopped node.
   * @returns undefined if the node or file does not exist, or the file is larger than `maxBytes`.
   */
  abstract readNodeFile(node: string, path: string, maxBytes: number): Promise<string | undefined>;

  /**
   * A folder of a running or stopped node as a tar, whose paths start with the name of the folder. The engine creates it,
   * but its content is untrusted.
   * @returns undefined if the node or folder does not exist.
   */
  abstract nodeFolder(
    node: string,
    path: string,
    signal: AbortSignal,
  ): Promise<NodeJS.ReadableStream | undefined>;

  /** Usage of running containers; omits those that no longer exist. */
  abstract sample(ids: readonly string[]): Promise<NodeSample[]>;

  /** Usage before the first sample, in rounds, the oldest first. Engines do not know it. */
  pastSamples(_ids: readonly string[]): NodeSample[][] {
    return [];
  }

  /** Calls back for each event of node containers until the signal aborts or the stream ends. */
  abstract followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void>;

  abstract listImages(repository: string): Promise<LocalImage[]>;

  /** Whether an image exists locally under exactly this reference. */
  abstract hasImage(reference: string): Promise<boolean>;

  /** @throws DomainError `image_not_pulled` */
  abstract pullImage(
    reference: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;

  abstract allImages(): Promise<EngineImage[]>;

  /**
   * An image as an archive in Docker's format. Only of the nodes' platform if the engine has several: with more, the import
   * into a node fails because of missing layers (kubernetes-sigs/kind#3795).
   * @throws DomainError `image_not_found`
   */
  abstract saveImage(reference: string, signal: AbortSignal): Promise<Readable>;

  /**
   * Removes an unused image with all of its names. Succeeds if it does not exist.
   * @throws DomainError `image_in_use`
   */
  abstract removeImage(image: Pick<EngineImage, 'id' | 'references'>): Promise<void>;

  abstract listVolumes(): Promise<EngineVolume[]>;

  /** Sizes of volumes in bytes, without those that cannot be measured. Slow: the engine reads all folders. */
  abstract measureVolumes(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;

  /**
   * Removes an unused volume. Succeeds if it does not exist.
   * @throws DomainError `volume_in_use`
   */
  abstract removeVolume(name: string): Promise<void>;

  /**
   * Runs a program in a running node with up to 8 MB of output.
   * @param id of the container.
   * @throws DomainError `node_unavailable` if the node does not run, or the program does not exit in time.
   */
  abstract execInNode(id: string, command: readonly string[], deadlineMs: number): Promise<NodeExecution>;

  /**
   * Starts a program on a terminal in a running node.
   * @param id of the container.
   * @throws DomainError `node_unavailable` if the node does not run.
   */
  abstract runInTerminal(id: string, command: readonly string[]): Promise<RunningProgram>;

  /**
   * The objects of a cluster: containers by label, volumes that they mount or that have the label of one of its nodes, and
   * the existing volumes among `knownVolumes`.
   */
  abstract objectsOf(cluster: string, knownVolumes?: readonly string[]): Promise<ClusterObjects>;

  /**
   * Removes containers by id with their anonymous volumes, and volumes by name, by force. Ignores missing ones.
   * @throws the first error, after all removals; DomainError `runtime_unavailable` immediately.
   */
  abstract removeObjects(
    objects: { containers: readonly string[]; volumes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<void>;

  /**
   * Starts a node by name. This and the following methods succeed if the node already has the desired state.
   * @throws DomainError `node_unchanged` with the engine's reason.
   */
  abstract startNode(name: string): Promise<void>;

  /** Stops a node, and kills it after the grace period. @throws DomainError `node_unchanged` */
  abstract stopNode(name: string, graceSeconds: number): Promise<void>;

  /** @throws DomainError `node_unchanged` */
  abstract pauseNode(name: string): Promise<void>;

  /** @throws DomainError `node_unchanged` */
  abstract unpauseNode(name: string): Promise<void>;

  /** Requires `capabilities.restartPolicies`. @throws DomainError `node_unchanged` */
  abstract setRestartPolicy(name: string, policy: RestartPolicy): Promise<void>;

  /**
   * Sets the address of a stopped node; null for any. The start of the node fails if another container has the address by
   * then. Requires `capabilities.fixedAddresses`.
   * @throws DomainError `node_unchanged`. The node then has any address, or no network, which the next call repairs.
   */
  abstract fixAddress(name: string, address: string | null): Promise<void>;

  /** Names of all containers in any state, also of other programs. */
  abstract containerNames(): Promise<string[]>;

  /** Name of the container with an address; null if no container has it. */
  abstract holderOf(address: string): Promise<string | null>;

  abstract provider(): ProviderSettings;
}
