import { EventEmitter } from 'node:events';
import { randomBytes } from 'node:crypto';

export type ScriptedRole = 'control-plane' | 'worker';

export interface ScriptedNode {
  id: string;
  name: string;
  cluster: string;
  role: ScriptedRole;
  state: 'running' | 'exited' | 'paused';
  exitCode: number;
  image: string;
  address: string;
  /** Host port of the API, for a control plane. */
  port: number | null;
  volume: string;
  /** Ports and mounts beyond those that every node has. */
  ports: ScriptedPort[];
  mounts: ScriptedMount[];
  /** Texts of files in it, by their paths. */
  files: Record<string, string>;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface ScriptedPort {
  hostAddress: string;
  hostPort: number;
  containerPort: number;
  protocol: string;
}

export interface ScriptedMount {
  hostPath: string;
  containerPath: string;
  readOnly: boolean;
}

export interface WorldEvent {
  action: 'create' | 'start' | 'die' | 'destroy' | 'pause' | 'unpause';
  node: ScriptedNode;
}

/** What one scripted engine holds: containers, volumes and images. kind's script and the engine share it. */
export class EngineWorld {
  readonly nodes: ScriptedNode[] = [];
  /** Names of volumes with the labels that they carry. */
  readonly volumes = new Map<string, Record<string, string>>();
  readonly images = new Set<string>();
  readonly events = new EventEmitter<{ event: [WorldEvent] }>();

  constructor(
    /** Podman's node volumes are named and labelled, Docker's anonymous. */
    private readonly labelsVolumes: boolean,
  ) {}

  addVolume(nodeName: string): string {
    const volume = randomBytes(32).toString('hex');
    this.volumes.set(volume, this.labelsVolumes ? { [nodeName]: 'true' } : {});
    return volume;
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
      ...node,
      id: randomBytes(32).toString('hex'),
      state: 'running',
      exitCode: 0,
      address: `172.18.0.${(this.nodes.length % 200) + 2}`,
      createdAt: new Date(),
      finishedAt: null,
    };
    this.nodes.push(added);
    this.tell('create', added);
    this.tell('start', added);
    return added;
  }

  find(nameOrId: string): ScriptedNode | undefined {
    return this.nodes.find(({ id, name }) => id === nameOrId || name === nameOrId);
  }

  nodesOf(cluster: string): ScriptedNode[] {
    return this.nodes.filter((node) => node.cluster === cluster);
  }

  /** Ends a container as `docker kill` does, behind everybody's back. */
  kill(name: string): void {
    const node = this.find(name);
    if (!node) throw new Error(`there is no container ${name}`);
    Object.assign(node, { state: 'exited', exitCode: 137, finishedAt: new Date() });
    this.tell('die', node);
  }

  /** Removes a container, and its volume where it is anonymous or asked for. */
  remove(node: ScriptedNode, withVolume = true): void {
    const index = this.nodes.indexOf(node);
    if (index < 0) return;
    if (node.state === 'running') this.tell('die', Object.assign(node, { exitCode: 137 }));
    this.nodes.splice(index, 1);
    if (withVolume) this.volumes.delete(node.volume);
    this.tell('destroy', node);
  }

  private tell(action: WorldEvent['action'], node: ScriptedNode): void {
    this.events.emit('event', { action, node: { ...node } });
  }
}
