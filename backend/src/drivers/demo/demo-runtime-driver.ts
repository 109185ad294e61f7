import type { Readable } from 'node:stream';
import { readProject } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import {
  RuntimeDriver,
  untilAborted,
  type ClusterObjects,
  type EngineImage,
  type EngineVolume,
  type LocalImage,
  type NodeContainer,
  type NodeEvent,
  type NodeExecution,
  type NodeSample,
  type NodeSettings,
  type ProviderSettings,
  type PullProgress,
  type RestartPolicy,
  type RunningProgram,
  type RuntimeInfo,
} from '../runtime/index.js';
import { crictlImages, demoArchive, demoImages, idOf, NODE_IMAGE_BYTES } from './demo-images.js';
import { demoSample } from './demo-usage.js';
import { DemoShell } from './demo-shell.js';
import type { DemoNode } from './demo-node.js';
import type { DemoWorld } from './demo-world.js';
import { DemoContainerLogs } from './logs/demo-container-logs.js';

const LAYERS = 4;
/** Kubernetes has no other major version: other tags are typing mistakes, also in the demo. */
const PUBLISHED = /:v1\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/;
/** Seconds of demo time. */
const PULL_SECONDS = 14;
const PULL_TICKS = 40;
const SECONDS_TO = { start: 0.6, stop: 0.9, pause: 0.1, remove: 0.8 } as const;
const SAVE_SECONDS = 2;
const VOLUME_BYTES = 412_000_000;
const PAST_MS = 3_600_000;
const PAST_STEP_MS = 15_000;

/** The runtime of a machine without container engines. */
export class DemoRuntimeDriver extends RuntimeDriver {
  override readonly id = 'demo';
  override readonly logs: DemoContainerLogs;
  private readonly known: RuntimeInfo = {
    version: readProject().version,
    capabilities: {
      provisioner: 'demo',
      rootless: true,
      cgroupVersion: null,
      memoryIncludesCache: false,
      hostAlias: 'host.demo.internal',
      restartPolicies: true,
      fixedAddresses: false,
    },
    // Not those of this machine: demo clusters must fit.
    host: { cpuCores: 16, memoryBytes: 64e9, storagePath: null },
    clockOffsetMs: 0,
    ownContainer: null,
  };

  constructor(private readonly world: DemoWorld) {
    super();
    this.logs = new DemoContainerLogs(world);
  }

  override async probe(): Promise<RuntimeInfo> {
    return this.known;
  }

  override async ping(): Promise<void> {
    return;
  }

  override info(): RuntimeInfo {
    return this.known;
  }

  override async apiHost(): Promise<null> {
    return null;
  }

  override async listNodes(): Promise<NodeContainer[]> {
    return this.world.nodes.map((node) => ({
      ...pick(node, 'id', 'name', 'cluster', 'role', 'state', 'exitCode'),
      ...pick(node, 'image', 'ports', 'createdAt', 'stateSince'),
      outOfMemory: false,
      address: node.state === 'exited' ? null : node.address,
      imageId: idOf(node.image),
    }));
  }

  override async inspectNodes(cluster: string): Promise<NodeSettings[]> {
    return this.world.nodesOf(cluster).map((node) => ({
      ...pick(node, 'id', 'name', 'role', 'image', 'ports'),
      mounts: node.mounts ?? [],
      environment: {},
    }));
  }

  override async readNodeFile(node: string, path: string, maxBytes: number): Promise<string | undefined> {
    const found = this.world.nodes.find(({ id, name }) => id === node || name === node);
    const text = found?.files?.[path];
    return text !== undefined && Buffer.byteLength(text) > maxBytes ? undefined : text;
  }

  /** Pods of the demo write no files. */
  override async nodeFolder(): Promise<undefined> {
    return undefined;
  }

  override async sample(ids: readonly string[]): Promise<NodeSample[]> {
    return this.samplesAt(Date.now(), ids);
  }

  /** Of an hour: a demo that shows empty curves for as long shows nothing. */
  override pastSamples(ids: readonly string[]): NodeSample[][] {
    const first = Date.now() - PAST_MS;
    return Array.from({ length: PAST_MS / PAST_STEP_MS }, (_, index) =>
      this.samplesAt(first + index * PAST_STEP_MS, ids),
    );
  }

  override async followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void> {
    const subscription = this.world.events.subscribe(onEvent);
    await untilAborted(signal).finally(() => subscription.unsubscribe());
  }

  override async listImages(repository: string): Promise<LocalImage[]> {
    return this.world
      .images()
      .filter((reference) => reference.startsWith(`${repository}:`))
      .map((reference) => ({
        reference: reference.split('@')[0] ?? reference,
        digests: [],
        sizeBytes: NODE_IMAGE_BYTES,
      }));
  }

  override async hasImage(reference: string): Promise<boolean> {
    return this.world.images().includes(reference);
  }

  override async pullImage(
    reference: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    if (!PUBLISHED.test(reference)) {
      const message = `demo could not pull ${reference}. The tag does not exist in the demo's registry.`;
      throw new DomainError('image_not_pulled', message);
    }
    for (let tick = 1; tick <= PULL_TICKS; tick += 1) {
      await this.world.pass(PULL_SECONDS / PULL_TICKS, signal);
      if (tick === PULL_TICKS / 2) this.world.failIfConfigured('pull');
      const share = tick / PULL_TICKS;
      onProgress({
        pulledBytes: Math.round(NODE_IMAGE_BYTES * share),
        totalBytes: NODE_IMAGE_BYTES,
        layers: LAYERS,
        layersDone: Math.floor(LAYERS * share),
      });
    }
    await this.world.addImage(reference);
  }

  override async allImages(): Promise<EngineImage[]> {
    return demoImages(this.world.images());
  }

  override async saveImage(reference: string, signal: AbortSignal): Promise<Readable> {
    const image = (await this.allImages()).find(({ references }) => references.includes(reference));
    if (!image) {
      throw new DomainError('image_not_found', `demo could not save ${reference}. The image does not exist.`);
    }
    return demoArchive(reference, image.sizeBytes, (share) => this.world.pass(SAVE_SECONDS * share, signal));
  }

  override async removeImage({ references }: Pick<EngineImage, 'references'>): Promise<void> {
    for (const reference of references) {
      if (this.world.nodes.some(({ image }) => image.split('@')[0] === reference)) {
        throw new DomainError('image_in_use', `demo could not delete ${reference}. A container uses it.`);
      }
      await this.world.removeImage(reference);
    }
  }

  override async listVolumes(): Promise<EngineVolume[]> {
    return [
      ...this.world.nodes.map(({ volume, name, createdAt }) => ({
        name: volume,
        labels: { [name]: '' },
        createdAt,
        usedBy: [name],
      })),
      ...this.world.orphanedVolumes.map((volume) => ({
        name: volume,
        labels: { 'old-demo-worker': '' },
        createdAt: '2026-09-30T15:04:11.000Z',
        usedBy: [],
      })),
    ];
  }

  override async measureVolumes(): Promise<ReadonlyMap<string, number>> {
    return new Map((await this.listVolumes()).map(({ name }) => [name, VOLUME_BYTES]));
  }

  override async removeVolume(name: string): Promise<void> {
    const user = this.world.nodes.find(({ volume }) => volume === name);
    if (user) {
      const message = `demo could not delete the volume ${name}. ${user.name} uses it.`;
      throw new DomainError('volume_in_use', message);
    }
    await this.world.removeVolume(name);
  }

  override async execInNode(id: string, command: readonly string[]): Promise<NodeExecution> {
    const node = this.world.nodes.find((candidate) => candidate.id === id);
    if (node?.state !== 'running') {
      throw new DomainError('node_unavailable', 'Could not run a command in the node. It is not running.');
    }
    if (command[0] === 'journalctl') {
      const stdout = `${node.createdAt} ${node.name} systemd[1]: Started demo node.\n`;
      return { exitCode: 0, stdout, stderr: '' };
    }
    if (command[0] !== 'crictl' || command[1] !== 'images') {
      return { exitCode: 127, stdout: '', stderr: `${command[0] ?? ''}: not found` };
    }
    return { exitCode: 0, stdout: crictlImages(node), stderr: '' };
  }

  override async runInTerminal(id: string, command: readonly string[]): Promise<RunningProgram> {
    const node = this.world.nodes.find((candidate) => candidate.id === id);
    if (node?.state === 'running') return new DemoShell(node.name, command);
    throw new DomainError('node_unavailable', 'Could not run a shell in the node. It is not running.');
  }

  override async objectsOf(cluster: string): Promise<ClusterObjects> {
    const nodes = this.world.nodesOf(cluster);
    return {
      containers: nodes.map((node) => ({ ...pick(node, 'id', 'name', 'createdAt'), volumes: [node.volume] })),
      volumes: nodes.map(({ volume, createdAt }) => ({ name: volume, node: null, createdAt })),
    };
  }

  override async removeObjects(
    { containers }: { containers: readonly string[] },
    signal?: AbortSignal,
  ): Promise<void> {
    await this.world.pass(SECONDS_TO.remove, signal);
    this.world.failIfConfigured('delete');
    await this.world.removeNodes(containers);
  }

  override async startNode(name: string): Promise<void> {
    const { role } = this.world.node(name);
    await this.world.pass(SECONDS_TO.start);
    this.world.failIfConfigured('start', role);
    await this.world.setState(name, 'running', 'start');
  }

  override async stopNode(name: string): Promise<void> {
    const { role } = this.world.node(name);
    await this.world.pass(SECONDS_TO.stop);
    this.world.failIfConfigured('stop', role);
    await this.world.setState(name, 'exited', 'die');
  }

  override async pauseNode(name: string): Promise<void> {
    await this.setPaused(name, 'pause');
  }

  override async unpauseNode(name: string): Promise<void> {
    await this.setPaused(name, 'unpause');
  }

  /** Nodes of the demo keep their addresses. */
  override async fixAddress(name: string): Promise<void> {
    const message = `demo could not set the address of ${name}. The demo assigns addresses itself.`;
    throw new DomainError('node_unchanged', message, { node: name });
  }

  override async containerNames(): Promise<string[]> {
    return (await this.listNodes()).map(({ name }) => name);
  }

  override async holderOf(address: string): Promise<string | null> {
    const holder = this.world.nodes.find((node) => node.state !== 'exited' && node.address === address);
    return holder?.name ?? null;
  }

  override async setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    await this.world.setRestartPolicy(name, policy);
  }

  override provider(): ProviderSettings {
    return { provider: 'demo', environment: {} };
  }

  private samplesAt(at: number, ids: readonly string[]): NodeSample[] {
    const { memoryBytes, cpuCores } = this.known.host;
    return this.world.nodes
      .filter((node) => ids.includes(node.id) && node.state === 'running')
      .map((node) => demoSample(node, at, memoryBytes, cpuCores));
  }

  private async setPaused(name: string, action: 'pause' | 'unpause'): Promise<void> {
    if (this.world.node(name).state === 'exited') {
      const message = `demo could not ${action} ${name}. The node is not running.`;
      throw new DomainError('node_unchanged', message, { node: name });
    }
    await this.world.pass(SECONDS_TO.pause);
    await this.world.setState(name, action === 'pause' ? 'paused' : 'running', action);
  }
}

function pick<Field extends keyof DemoNode>(node: DemoNode, ...fields: Field[]): Pick<DemoNode, Field> {
  return Object.fromEntries(fields.map((field) => [field, node[field]])) as Pick<DemoNode, Field>;
}
