import type { Readable } from 'node:stream';
import { DomainError } from '../../../core/errors/index.js';
import type { EngineCandidate } from '../host/engine-candidate.js';
import type { RunningProgram } from '../running-program.js';
import {
  CLUSTER_LABEL,
  RuntimeDriver,
  type ClusterObjects,
  type ClusterVolume,
  type EngineImage,
  type EngineVolume,
  type LocalImage,
  type NodeContainer,
  type NodeEvent,
  type NodeExecution,
  type NodeSample,
  type NodeSettings,
  type PullProgress,
  type RestartPolicy,
  type RuntimeCapabilities,
  type RuntimeInfo,
} from '../runtime-driver.js';
import { readArchivedFile } from './archived-file.js';
import { toClusterContainer, toClusterVolume } from './cluster-objects.js';
import { ContainerStates } from './container-states.js';
import type { EngineInfo, EngineVersion, InspectedContainer } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { isConflict, isGone, isVanishing, unlessGone } from './engine-error.js';
import { containerEvents, toNodeEvent } from './engine-events.js';
import { EngineImages, type Platform } from './engine-images.js';
import { EngineLogs } from './engine-logs.js';
import { EngineVolumes } from './engine-volumes.js';
import { listContainers } from './list-containers.js';
import { nameOf, toNodeContainer } from './node-container.js';
import { NodeControl } from './node-control.js';
import { runInTerminal } from './node-terminal.js';
import { execute } from './node-execution.js';
import { toNodeSample } from './node-sample.js';
import { toNodeSettings } from './node-settings.js';
import { OwnContainer } from './own-container.js';

const REMOVE_DEADLINE_MS = 30_000;

/** The differences between the engines. */
export interface EngineDescription extends Pick<
  RuntimeCapabilities,
  'memoryIncludesCache' | 'hostAlias' | 'restartPolicies' | 'fixedAddresses'
> {
  version: string | undefined;
}

/** The common part of both engines, based on Docker's API. */
export abstract class EngineRuntimeDriver extends RuntimeDriver {
  override readonly logs: EngineLogs;
  private lastInfo: RuntimeInfo | undefined;
  private ownContainer: OwnContainer | undefined;
  private readonly states = new ContainerStates();
  private readonly control: NodeControl;
  private readonly images: EngineImages;
  private readonly volumes: EngineVolumes;

  constructor(
    protected readonly connection: EngineConnection,
    protected readonly candidate: EngineCandidate,
    /** Ids that the container of this process may have. */
    private readonly ownIds: readonly string[] = [],
  ) {
    super();
    this.control = new NodeControl(connection);
    this.images = new EngineImages(connection);
    this.volumes = new EngineVolumes(connection);
    this.logs = new EngineLogs(
      connection,
      () => this.logsWholeSeconds(),
      (id) => id === this.ownContainer?.id,
    );
  }

  protected abstract describe(version: EngineVersion, info: EngineInfo): EngineDescription;

  /** Volumes of a cluster's nodes, in addition to those that its containers mount. */
  protected abstract labelledVolumes(cluster: string): Promise<string[]>;

  /** The platform of an image to save; undefined if the engine has only one, or cannot select one. */
  protected abstract platformToSave(): Platform | undefined;

  protected abstract logsWholeSeconds(): boolean;

  async probe(deadlineMs?: number): Promise<RuntimeInfo> {
    const [version, { info, clockOffsetMs }] = await this.connection.read(
      (client, abortSignal) =>
        Promise.all([client.version({ abortSignal }), timedInfo(client.info({ abortSignal }))]),
      deadlineMs,
    );
    const { version: name = 'unknown', ...capabilities } = this.describe(version, info);
    this.ownContainer = await OwnContainer.find(this.connection, this.ownIds);
    // A failure is reported when a cluster is used.
    await this.ownContainer?.joinNodes().catch(() => undefined);
    this.lastInfo = {
      version: name,
      capabilities: {
        ...capabilities,
        provisioner: 'kind',
        rootless:
          info.Rootless === true ||
          (info.SecurityOptions ?? []).some((option) => option.includes('name=rootless')),
        cgroupVersion: info.CgroupVersion === '2' ? 2 : info.CgroupVersion === '1' ? 1 : null,
      },
      host: {
        cpuCores: info.NCPU ?? 0,
        memoryBytes: info.MemTotal ?? 0,
        storagePath: info.DockerRootDir ?? null,
      },
      clockOffsetMs,
      ownContainer: this.ownContainer ?? null,
    };
    return this.lastInfo;
  }

  async ping(deadlineMs?: number): Promise<void> {
    await this.connection.ping(deadlineMs);
  }

  info(): RuntimeInfo {
    if (!this.lastInfo) {
      throw new DomainError('runtime_unavailable', `${this.id} has not responded yet.`, { runtime: this.id });
    }
    return this.lastInfo;
  }

  async apiHost(cluster: string): Promise<string | null> {
    return (await this.ownContainer?.reach(cluster)) ?? null;
  }

  async listNodes(): Promise<NodeContainer[]> {
    const summaries = await listContainers(this.connection, CLUSTER_LABEL);
    const states = await this.states.of(summaries, async (id) => (await this.inspect(id))?.State);
    return summaries.map((summary) => toNodeContainer(summary, states.get(summary.Id)));
  }

  async inspectNodes(cluster: string): Promise<NodeSettings[]> {
    const summaries = await listContainers(this.connection, `${CLUSTER_LABEL}=${cluster}`);
    const nodes = await Promise.all(
      summaries.map(async (summary) => {
        const inspected = await this.inspect(summary.Id);
        return inspected && toNodeSettings(summary, inspected);
      }),
    );
    return nodes.filter((node) => node !== undefined);
  }

  readNodeFile(node: string, path: string, maxBytes: number): Promise<string | undefined> {
    return unlessGone(
      this.connection.read(async (client, abortSignal) =>
        readArchivedFile(await client.getContainer(node).getArchive({ path, abortSignal }), maxBytes),
      ),
    );
  }

  nodeFolder(node: string, path: string, signal: AbortSignal): Promise<NodeJS.ReadableStream | undefined> {
    return unlessGone(
      this.connection.stream(
        (client, abortSignal) => client.getContainer(node).getArchive({ path, abortSignal }),
        signal,
      ),
    );
  }

  async sample(ids: readonly string[]): Promise<NodeSample[]> {
    const hostMemory = this.info().host.memoryBytes;
    const samples = await Promise.all(
      ids.map(async (id) => {
        const stats = await unlessGone(
          this.connection.read((client, abortSignal) =>
            client.getContainer(id).stats({ stream: false, 'one-shot': true, abortSignal }),
          ),
        );
        return stats && toNodeSample(id, stats, hostMemory);
      }),
    );
    return samples.filter((sample) => sample !== undefined);
  }

  async followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void> {
    for await (const message of containerEvents(this.connection, signal)) {
      if (message.Actor?.Attributes?.[CLUSTER_LABEL] === undefined) continue;
      if (message.Actor.ID) this.states.forget(message.Actor.ID);
      onEvent(toNodeEvent(message));
    }
  }

  listImages(repository: string): Promise<LocalImage[]> {
    return this.images.local(repository);
  }

  hasImage(reference: string): Promise<boolean> {
    return this.images.has(reference);
  }

  pullImage(
    reference: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    return this.images.pull(reference, onProgress, signal);
  }

  allImages(): Promise<EngineImage[]> {
    return this.images.list();
  }

  saveImage(reference: string, signal: AbortSignal): Promise<Readable> {
    return this.images.save(reference, this.platformToSave(), signal);
  }

  removeImage(image: Pick<EngineImage, 'id' | 'references'>): Promise<void> {
    return this.images.remove(image);
  }

  listVolumes(): Promise<EngineVolume[]> {
    return this.volumes.list();
  }

  measureVolumes(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    return this.volumes.measure(signal);
  }

  removeVolume(name: string): Promise<void> {
    return this.volumes.remove(name);
  }

  execInNode(id: string, command: readonly string[], deadlineMs: number): Promise<NodeExecution> {
    return execute(this.connection, id, command, deadlineMs);
  }

  runInTerminal(id: string, command: readonly string[]): Promise<RunningProgram> {
    return runInTerminal(this.connection, id, command);
  }

  async objectsOf(cluster: string, knownVolumes: readonly string[] = []): Promise<ClusterObjects> {
    const summaries = await listContainers(this.connection, `${CLUSTER_LABEL}=${cluster}`);
    const containers = summaries.map(toClusterContainer);
    const candidates = new Set([
      ...containers.flatMap(({ volumes }) => volumes),
      ...knownVolumes,
      ...(await this.labelledVolumes(cluster)),
    ]);
    const volumes = await Promise.all([...candidates].map((name) => this.volumeOf(cluster, name)));
    return { containers, volumes: volumes.filter((volume) => volume !== undefined) };
  }

  async removeObjects(
    { containers, volumes }: { containers: readonly string[]; volumes: readonly string[] },
    signal?: AbortSignal,
  ): Promise<void> {
    const failures: unknown[] = [];
    // Continue after a failed removal, but not if the engine is unavailable.
    const attempt = async (removal: Promise<void>): Promise<void> => {
      await removal.catch((error: unknown) => {
        if (error instanceof DomainError) throw error;
        failures.push(error);
      });
    };
    for (const id of containers) {
      signal?.throwIfAborted();
      await attempt(
        this.ignoreGone((client, abortSignal) =>
          client.getContainer(id).remove({ force: true, v: true, abortSignal }),
        ),
      );
    }
    for (const name of volumes) {
      signal?.throwIfAborted();
      await attempt(this.ignoreGone((client, abortSignal) => client.getVolume(name).remove({ abortSignal })));
    }
    if (failures.length > 0) throw failures[0];
  }

  async startNode(name: string): Promise<void> {
    await this.control.start(name);
  }

  async stopNode(name: string, graceSeconds: number): Promise<void> {
    await this.control.stop(name, graceSeconds);
  }

  async pauseNode(name: string): Promise<void> {
    await this.control.pause(name);
  }

  async unpauseNode(name: string): Promise<void> {
    await this.control.unpause(name);
  }

  async setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    await this.control.setRestartPolicy(name, policy);
  }

  async fixAddress(name: string, address: string | null): Promise<void> {
    if (!this.info().capabilities.fixedAddresses) {
      // Docker accepts the address for a stopped node, but then refuses to start it.
      throw new DomainError(
        'node_unchanged',
        `${this.id} cannot assign a fixed address to ${name}: it has chosen the subnet of the network itself.`,
        { node: name },
      );
    }
    await this.control.fixAddress(name, address);
  }

  async containerNames(): Promise<string[]> {
    return (await listContainers(this.connection)).map(nameOf);
  }

  async holderOf(address: string): Promise<string | null> {
    const containers = await listContainers(this.connection);
    const holder = containers.find(({ NetworkSettings }) =>
      Object.values(NetworkSettings?.Networks ?? {}).some((network) => network.IPAddress === address),
    );
    return holder ? nameOf(holder) : null;
  }

  protected async inspect(id: string): Promise<InspectedContainer | undefined> {
    try {
      return await this.connection.read((client, abortSignal) =>
        client.getContainer(id).inspect({ abortSignal }),
      );
    } catch (error) {
      if (isGone(error) || isVanishing(error)) return undefined;
      throw error;
    }
  }

  private async volumeOf(cluster: string, name: string): Promise<ClusterVolume | undefined> {
    const volume = await unlessGone(
      this.connection.read((client, abortSignal) => client.getVolume(name).inspect({ abortSignal })),
    );
    return volume && toClusterVolume(cluster, name, volume);
  }

  private async ignoreGone(call: Parameters<EngineConnection['read']>[0]): Promise<void> {
    try {
      await this.connection.read(call, REMOVE_DEADLINE_MS);
    } catch (error) {
      // Already removed, or being removed. Callers verify the result.
      if (!isGone(error) && !isConflict(error) && !isVanishing(error)) throw error;
    }
  }
}

/** The engine info, with how far the engine's clock is ahead of this machine's; 0 if it reports no time. */
async function timedInfo(request: Promise<EngineInfo>): Promise<{ info: EngineInfo; clockOffsetMs: number }> {
  const startedAt = Date.now();
  const info = await request;
  const time = Date.parse(info.SystemTime ?? '');
  // The engine read its clock between request and response.
  const clockOffsetMs = Number.isNaN(time) ? 0 : Math.round(time - (startedAt + Date.now()) / 2);
  return { info, clockOffsetMs };
}
