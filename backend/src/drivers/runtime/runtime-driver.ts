import type { Readable } from 'node:stream';
import type { ContainerLogs, NodeState } from './container-logs.js';

/** Label that kind puts on every node container, whatever the engine. */
export const CLUSTER_LABEL = 'io.x-k8s.kind.cluster';
export const ROLE_LABEL = 'io.x-k8s.kind.role';

export type NodeRole = 'control-plane' | 'worker' | 'external-load-balancer';

/** What an engine does by itself about a container that ended: nothing, or start it again once where it failed. */
export type RestartPolicy = 'no' | 'on-failure';

/** A port of a container that the machine's own programs may connect to. */
export interface PublishedPort {
  hostAddress: string;
  hostPort: number;
  containerPort: number;
  protocol: string;
}

/** What a runtime can do. Callers branch on these and never on a runtime's name. */
export interface RuntimeCapabilities {
  /** Which provisioner makes clusters here. */
  provisioner: 'kind' | 'demo';
  rootless: boolean;
  /** Version of the control groups, null where the engine does not tell. */
  cgroupVersion: 1 | 2 | null;
  /** Whether memory figures count the page cache in, because the engine's API does not tell it apart. */
  memoryIncludesCache: boolean;
  /**
   * Name by which containers know the machine. Docker and Podman give it to them by themselves inside a virtual
   * machine, and Podman from 5.3; elsewhere a container gets it by `--add-host`.
   */
  hostAlias: string;
  /** Whether it takes a restart policy for a container that is there: what brings nodes back when it restarts. */
  restartPolicies: boolean;
  /**
   * Whether a node can be bound to an address. Docker cannot on a network whose subnet it chose itself, as it
   * does for kind's, and gives the first free address at each start; Podman gives the next one each time.
   */
  fixedAddresses: boolean;
  /**
   * Whether it runs on this machine itself, behind a local socket. One in a virtual machine forwards connections of
   * its containers to the machine's loopback addresses, where they look like the user's own.
   */
  native: boolean;
}

/** An engine that answers. */
export interface RuntimeInfo {
  version: string;
  capabilities: RuntimeCapabilities;
  /** Machine that the nodes run on: inside a virtual machine these are its figures, not the desktop's. */
  host: RuntimeHost;
  /** What deserves a look although the engine answers, such as an outdated control group version. */
  notices: string[];
  /** Milliseconds that the engine's clock was ahead of this machine's when it was asked. In a virtual machine it can drift. */
  clockOffsetMs: number;
}

export interface RuntimeHost {
  cpuCores: number;
  memoryBytes: number;
  /** Where the engine keeps its images, as the engine sees it. */
  storagePath: string | null;
}

export interface NodeContainer {
  id: string;
  name: string;
  cluster: string;
  role: NodeRole;
  state: NodeState;
  /** Exit status of a container that ended, else null. */
  exitCode: number | null;
  /** Whether the kernel ended it for want of memory. */
  outOfMemory: boolean;
  image: string;
  /** The engine's own id of that image, `sha256:…`; it stays when the name moves on to another. Null where it is not told. */
  imageId: string | null;
  /** Address on the clusters' network, null while it has none. */
  address: string | null;
  /** Ports that it publishes while it runs. */
  ports: PublishedPort[];
  createdAt: string;
  /** When its state began, as far as the engine tells. */
  stateSince: string | null;
}

/** What a node's container was made with; the same whether it runs or not. */
export interface NodeSettings {
  id: string;
  name: string;
  role: NodeRole;
  /** The reference that it was made from, as it was given. */
  image: string;
  /** Ports that were asked for; `hostPort` is 0 where the engine chooses one at each start. */
  ports: PublishedPort[];
  /** Paths of the machine that it sees. Volumes are not among them. */
  mounts: NodeMount[];
  /** Variables for the node's entrypoint, `KIND_…`. Others may hold the password of a proxy and stay here. */
  environment: Readonly<Record<string, string>>;
}

export interface NodeMount {
  hostPath: string;
  containerPath: string;
  readOnly: boolean;
  /** Whether mounts made later on one side show on the other: not at all, from the machine, or both ways. */
  propagation: 'private' | 'rslave' | 'rshared';
  /** Whether the path was relabelled for SELinux. */
  relabelled: boolean;
}

/** Usage of one container at one moment. CPU is cumulative: a rate takes two samples. */
export interface NodeSample {
  id: string;
  /** When it was taken, in milliseconds since the epoch. */
  at: number;
  cpuNanoseconds: number;
  memoryBytes: number;
  /** The container's limit, or the whole machine where it has none. */
  memoryLimitBytes: number;
  networkRxBytes: number;
  networkTxBytes: number;
  blockReadBytes: number;
  blockWriteBytes: number;
}

/** Something that happened to a node's container. */
export interface NodeEvent {
  action: 'start' | 'die' | 'pause' | 'unpause' | 'destroy' | 'create' | 'rename' | 'other';
  container: string;
  cluster: string;
  exitCode: number | null;
  time: string;
}

/** Progress of a pull in bytes over all layers. */
export interface PullProgress {
  pulledBytes: number;
  /** What is known so far: it grows while layers announce themselves. */
  totalBytes: number;
  layers: number;
  layersDone: number;
}

export interface LocalImage {
  /** Repository and tag, in the engine's own spelling. */
  reference: string;
  /** `sha256:…` of the manifest where the engine knows it. */
  digests: string[];
  sizeBytes: number;
}

/** An image of the engine, under all of its names. */
export interface EngineImage {
  /** `sha256:…`, by which the engine knows it. */
  id: string;
  /** Repository and tag, in the engine's own spelling; none for an image that lost its tag to another. */
  references: string[];
  /** Repository and digest, `app@sha256:…`, where it came from or went to a registry. */
  digests: string[];
  /** Unpacked, layers that it shares with others counted in. */
  sizeBytes: number;
  createdAt: string | null;
  /** In Go's words, `amd64`; null where the engine does not tell. */
  architecture: string | null;
}

/** A volume of the engine. */
export interface EngineVolume {
  name: string;
  labels: Readonly<Record<string, string>>;
  createdAt: string | null;
  /** Containers of any kind that mount it, by name, also those that ended. */
  usedBy: string[];
}

/** What a program inside a node said. */
export interface NodeExecution {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** A container that has a cluster's label. */
export interface ClusterContainer {
  id: string;
  name: string;
  /** By the engine's clock, in whole seconds. */
  createdAt: string;
  /** Names of the volumes that it mounts. */
  volumes: string[];
}

/** A volume of a cluster's nodes. kind has the engine choose a random name for each, so that a name is never used again. */
export interface ClusterVolume {
  name: string;
  /** Name of the node that it was made for, where it carries that as a label. */
  node: string | null;
  /** By the engine's clock; null where the engine does not say. */
  createdAt: string | null;
}

/** What an engine holds under a cluster's name, regardless of who created it. */
export interface ClusterObjects {
  containers: ClusterContainer[];
  volumes: ClusterVolume[];
}

/** How programs that make clusters are told to use this runtime. */
export interface ProviderSettings {
  /** kind's name for it (`KIND_EXPERIMENTAL_PROVIDER`). */
  provider: string;
  environment: Readonly<Record<string, string>>;
}

/**
 * One container runtime: it knows containers, images and figures, and nothing of Kubernetes.
 * Every call has a deadline of its own; one that does not answer is
 * @throws DomainError `runtime_unavailable` with the reason.
 */
export abstract class RuntimeDriver {
  /** Stable name, as in a cluster's record: `docker`. */
  abstract readonly id: string;

  /** What its containers write, nodes or not. */
  abstract readonly logs: ContainerLogs;

  /** Asks the engine what it is. */
  abstract probe(): Promise<RuntimeInfo>;

  /** Asks only whether it answers, in the cheapest way that it has. */
  abstract ping(deadlineMs?: number): Promise<void>;

  /** What the last probe said. @throws DomainError `runtime_unavailable` before the first. */
  abstract info(): RuntimeInfo;

  /** All containers of all clusters, also those that ended. */
  abstract listNodes(): Promise<NodeContainer[]>;

  /** What the containers of a cluster were made with. Empty where there are none. */
  abstract inspectNodes(cluster: string): Promise<NodeSettings[]>;

  /**
   * Reads one small text file out of a node, also out of one that does not run.
   * @returns undefined where there is no such node or file, or where the file is larger than `maxBytes`.
   */
  abstract readNodeFile(node: string, path: string, maxBytes: number): Promise<string | undefined>;

  /**
   * A folder of a node as a tar whose paths begin with the folder's name, also out of a node that does not run. The
   * engine makes it, and no program of the node; its content is the node's all the same.
   * @returns undefined where there is no such node or folder.
   */
  abstract nodeFolder(
    node: string,
    path: string,
    signal: AbortSignal,
  ): Promise<NodeJS.ReadableStream | undefined>;

  /** Usage of running containers; one that went away meanwhile is left out. */
  abstract sample(ids: readonly string[]): Promise<NodeSample[]>;

  /** Calls back for each event of node containers until `signal` ends it or the stream breaks. */
  abstract followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void>;

  /** Images of a repository that are here already. */
  abstract listImages(repository: string): Promise<LocalImage[]>;

  /** Whether an image is here under this very reference. */
  abstract hasImage(reference: string): Promise<boolean>;

  /** Brings an image here. @throws DomainError `image_not_pulled` */
  abstract pullImage(
    reference: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void>;

  /** Every image, whatever its repository. */
  abstract allImages(): Promise<EngineImage[]>;

  /**
   * An image as an archive in Docker's format, of the nodes' own platform where the engine holds several:
   * with more than one, the import into a node fails over layers that are not in it (kubernetes-sigs/kind#3795).
   * @throws DomainError `image_not_found`
   */
  abstract saveImage(reference: string, signal: AbortSignal): Promise<Readable>;

  /**
   * Removes an image that no container uses, with all of its names; one that is gone is removed already.
   * @throws DomainError `image_in_use` when the engine says that something needs it.
   */
  abstract removeImage(image: Pick<EngineImage, 'id' | 'references'>): Promise<void>;

  /** Every volume. */
  abstract listVolumes(): Promise<EngineVolume[]>;

  /** Bytes of each volume that can be measured. The engine walks through all of their files: it takes its time. */
  abstract measureVolumes(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;

  /**
   * Removes a volume that no container uses; one that is gone is removed already.
   * @throws DomainError `volume_in_use`
   */
  abstract removeVolume(name: string): Promise<void>;

  /**
   * Runs a program in a node that runs, and reads at most 8 MB of what it says.
   * @param id the container's.
   * @throws DomainError `node_unavailable` when it does not run, or the program does not end in time.
   */
  abstract execInNode(id: string, command: readonly string[], deadlineMs: number): Promise<NodeExecution>;

  /**
   * What is there of a cluster: containers by label, the volumes that they mount or that are labeled with one of its
   * nodes, and those of `knownVolumes` that still exist.
   */
  abstract objectsOf(cluster: string, knownVolumes?: readonly string[]): Promise<ClusterObjects>;

  /**
   * Removes containers by id, with their anonymous volumes, and volumes by name, by force. What is gone is removed already.
   * @throws the first refusal, after everything was tried; DomainError `runtime_unavailable` at once.
   */
  abstract removeObjects(
    objects: { containers: readonly string[]; volumes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<void>;

  /**
   * Starts one node's container by its name. What is already so is success, here and below.
   * @throws DomainError `node_unchanged` with the engine's reason.
   */
  abstract startNode(name: string): Promise<void>;

  /** Asks a node's container to end, and kills it where it has not after the grace. @throws DomainError `node_unchanged` */
  abstract stopNode(name: string, graceSeconds: number): Promise<void>;

  /** Freezes a node's processes as they are. @throws DomainError `node_unchanged` */
  abstract pauseNode(name: string): Promise<void>;

  /** @throws DomainError `node_unchanged` */
  abstract unpauseNode(name: string): Promise<void>;

  /** Only where `capabilities.restartPolicies` says so. @throws DomainError `node_unchanged` */
  abstract setRestartPolicy(name: string, policy: RestartPolicy): Promise<void>;

  /**
   * Has a node that does not run come back on this address, or on any where it is null. An address that somebody
   * else has by then is refused when the node is started.
   * @throws DomainError `node_unchanged`, at once where `capabilities.fixedAddresses` is not so. The node then comes
   * back on any address; or it is on no network, which the message says and the next call puts right.
   */
  abstract fixAddress(name: string, address: string | null): Promise<void>;

  /** Name of the container, a node or not, that has an address now; null where none has. */
  abstract holderOf(address: string): Promise<string | null>;

  abstract provider(): ProviderSettings;
}
