import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { dockerArchive } from '../images/archives.js';

export type ScriptedRole = 'control-plane' | 'worker';

export interface ScriptedNode {
  id: string;
  name: string;
  cluster: string;
  role: ScriptedRole;
  state: 'running' | 'exited' | 'paused';
  exitCode: number;
  /** Whether the kernel killed one of its processes since its start because memory ran out. */
  outOfMemory: boolean;
  image: string;
  address: string;
  /** Whether it is on its network, and the address there that it is bound to. */
  connected: boolean;
  boundTo: string | null;
  restartPolicy: string;
  /** Host port of the API, for a control plane. */
  port: number | null;
  volume: string;
  /** Ports and mounts beyond those that every node has. */
  ports: ScriptedPort[];
  mounts: ScriptedMount[];
  /** Texts of files in it, by their paths. */
  files: Record<string, string>;
  /** Images that were loaded into it, as its containerd names them. */
  loaded: LoadedImage[];
  createdAt: Date;
  startedAt: Date;
  finishedAt: Date | null;
}

interface ScriptedPort {
  hostAddress: string;
  hostPort: number;
  containerPort: number;
  protocol: string;
}

interface ScriptedMount {
  hostPath: string;
  containerPath: string;
  readOnly: boolean;
}

interface LoadedImage {
  id: string;
  reference: string;
}

/** An image of a user, with its archive. */
export interface BuiltImage {
  id: string;
  archive: Buffer;
  /** The size that the engine reports, which may differ from the archive's. */
  sizeBytes: number;
}

export interface WorldEvent {
  action: 'create' | 'start' | 'die' | 'oom' | 'destroy' | 'pause' | 'unpause';
  node: ScriptedNode;
}

/** The state of one scripted engine: containers, volumes and images. kind's script and the engine share it. */
export class EngineWorld {
  readonly nodes: ScriptedNode[] = [];
  /** Volumes by name. */
  readonly volumes = new Map<string, { labels: Record<string, string>; createdAt: string }>();
  readonly images = new Set<string>();
  /** Images that are no node images, by their references. */
  readonly built = new Map<string, BuiltImage>();
  /** The format of labels in lists of containers and volumes. */
  labelStyle: 'map' | 'list' = 'map';
  readonly events = new EventEmitter<{ event: [WorldEvent] }>();
  /** Nodes that end at once, with this status, whenever they are started. */
  readonly broken = new Map<string, number>();
  /** Names of other containers by address. */
  readonly foreignAddresses = new Map<string, string>();

  constructor(
    /** Podman's node volumes are named and labelled, Docker's anonymous. */
    private readonly labelsVolumes: boolean,
  ) {}

  addVolume(nodeName: string): string {
    const volume = randomBytes(32).toString('hex');
    const labels: Record<string, string> = this.labelsVolumes ? { [nodeName]: 'true' } : {};
    this.volumes.set(volume, { labels, createdAt: new Date().toISOString() });
    return volume;
  }

  addBuiltImage(reference: string, sizeBytes = 1000): BuiltImage {
    const { bytes, id } = dockerArchive([reference], 2_000_000);
    const image = { id, archive: bytes, sizeBytes };
    this.built.set(reference, image);
    return image;
  }

  addNode(
    node: Pick<ScriptedNode, 'name' | 'cluster' | 'role' | 'image' | 'port' | 'volume'> &
      Partial<Pick<ScriptedNode, 'ports' | 'mounts' | 'files'>>,
  ): ScriptedNode {
    if (this.find(node.name)) throw new Error(`there is a container ${node.name} already`);
    const added: ScriptedNode = {
      ports: [],
      mounts: [],
      files: {},
      loaded: [],
      ...node,
      id: randomBytes(32).toString('hex'),
      state: 'running',
      exitCode: 0,
      outOfMemory: false,
      address: this.lowestFreeAddress(),
      connected: true,
      boundTo: null,
      restartPolicy: this.labelsVolumes ? 'no' : 'on-failure:1',
      createdAt: new Date(),
      startedAt: new Date(),
      finishedAt: null,
    };
    this.nodes.push(added);
    this.publish('create', added);
    this.publish('start', added);
    return added;
  }

  find(nameOrId: string): ScriptedNode | undefined {
    return this.nodes.find(({ id, name }) => id === nameOrId || name === nameOrId);
  }

  nodesOf(cluster: string): ScriptedNode[] {
    return this.nodes.filter((node) => node.cluster === cluster);
  }

  /** Ends a container as `docker kill` does, without Slipway. */
  kill(name: string): void {
    const node = this.find(name);
    if (!node) throw new Error(`there is no container ${name}`);
    this.end(node, 137);
  }

  /** The kernel kills a process in it because memory ran out. Only Docker has an event for it. */
  runOutOfMemory(name: string): void {
    const node = this.find(name);
    if (!node) throw new Error(`there is no container ${name}`);
    node.outOfMemory = true;
    if (!this.labelsVolumes) this.publish('oom', node);
  }

  start(node: ScriptedNode): void {
    Object.assign(node, { state: 'running', exitCode: 0, outOfMemory: false, startedAt: new Date() });
    node.address = node.connected ? (node.boundTo ?? this.lowestFreeAddress(node)) : '';
    this.publish('start', node);
    const status = this.broken.get(node.name);
    if (status !== undefined) this.end(node, status);
  }

  /** As an engine's stop does; systemd's halt leaves this status. */
  stop(node: ScriptedNode): void {
    this.end(node, 130);
  }

  freeze(node: ScriptedNode, action: 'pause' | 'unpause'): void {
    node.state = action === 'pause' ? 'paused' : 'running';
    this.publish(action, node);
  }

  /** Restarts the engine or its machine. Docker starts containers by their restart policies; Podman starts none. */
  restart(): void {
    const running = this.nodes.filter(({ state }) => state !== 'exited');
    for (const node of running) this.end(node, this.labelsVolumes ? 137 : 130);
    for (const node of this.nodes) if (node.restartPolicy !== 'no') this.start(node);
  }

  /** Removes a container, with its volume unless the caller keeps it. */
  remove(node: ScriptedNode, withVolume = true): void {
    const index = this.nodes.indexOf(node);
    if (index < 0) return;
    if (node.state === 'running') this.publish('die', Object.assign(node, { exitCode: 137 }));
    this.nodes.splice(index, 1);
    if (withVolume) this.volumes.delete(node.volume);
    this.publish('destroy', node);
  }

  private end(node: ScriptedNode, exitCode: number): void {
    Object.assign(node, { state: 'exited', exitCode, finishedAt: new Date() });
    this.publish('die', node);
  }

  /** Whether another container has an address now. */
  isTaken(address: string, own?: ScriptedNode): boolean {
    return (
      this.foreignAddresses.has(address) ||
      this.nodes.some((node) => node !== own && node.state !== 'exited' && node.address === address)
    );
  }

  /** Engines assign the lowest free address in the order of starts. */
  private lowestFreeAddress(own?: ScriptedNode): string {
    for (let last = 2; ; last += 1) {
      const address = `172.18.0.${last}`;
      if (!this.isTaken(address, own)) return address;
    }
  }

  private publish(action: WorldEvent['action'], node: ScriptedNode): void {
    this.events.emit('event', { action, node: { ...node } });
  }
}
