import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Subject } from 'rxjs';
import { parseOwnJson } from '../../core/parsing/index.js';
import type { Configuration, DemoFailure } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { writeFileAtomically, type DataDirectory } from '../../core/storage/index.js';
import type { NodeEvent, RestartPolicy } from '../runtime/index.js';
import { DemoApiServer } from './api-server/demo-api-server.js';
import type { DemoNode, LoadedImage } from './demo-node.js';

interface DemoState {
  schema: 1;
  nodes: DemoNode[];
  /** References of pulled images. */
  images: string[];
  /** References of the initial images that were removed. */
  removedImages?: string[];
  orphanedVolumes?: string[];
  nextId: number;
}

/** A left-over volume, so that there is something to prune. */
const ORPHANED_VOLUME = '4f1d'.repeat(16);
const FIRST_STATE: DemoState = { schema: 1, nodes: [], images: [], nextId: 1 };

/** Available tags. The first two are present from the start. */
export const DEMO_TAGS = ['v1.34.4', 'v1.33.1', 'v1.37.0', 'v1.36.1', 'v1.35.0'] as const;
const LOCAL_TAGS: readonly string[] = ['v1.34.4', 'v1.33.1'];

/** Nodes, images and volumes. The state survives restarts in a file; the clock runs at `APP_DEMO_SPEED`. */
export class DemoWorld {
  readonly events = new Subject<NodeEvent>();
  private readonly state: DemoState;
  private readonly apiServers = new Map<string, DemoApiServer>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
  ) {
    this.state = this.load();
  }

  get nodes(): readonly DemoNode[] {
    return this.state.nodes;
  }

  images(): string[] {
    const removed = this.state.removedImages ?? [];
    const local = LOCAL_TAGS.map((tag) => `${this.configuration.values.nodeImageRepository}:${tag}`);
    return [...local.filter((reference) => !removed.includes(reference)), ...this.state.images];
  }

  async addImage(reference: string): Promise<void> {
    this.state.images.push(reference);
    await this.save();
  }

  async removeImage(reference: string): Promise<void> {
    this.state.images = this.state.images.filter((image) => image !== reference);
    this.state.removedImages = [...(this.state.removedImages ?? []), reference];
    await this.save();
  }

  get orphanedVolumes(): readonly string[] {
    return this.state.orphanedVolumes ?? [ORPHANED_VOLUME];
  }

  async removeVolume(name: string): Promise<void> {
    this.state.orphanedVolumes = this.orphanedVolumes.filter((volume) => volume !== name);
    await this.save();
  }

  async loadImages(nodeName: string, images: readonly LoadedImage[]): Promise<void> {
    const node = this.state.nodes.find(({ name }) => name === nodeName);
    if (!node) return;
    const names = new Set(images.map(({ reference }) => reference));
    node.loaded = [...(node.loaded ?? []).filter(({ reference }) => !names.has(reference)), ...images];
    await this.save();
  }

  nodesOf(cluster: string): DemoNode[] {
    return this.state.nodes.filter((node) => node.cluster === cluster);
  }

  /** Seconds of demo time per second. */
  get speed(): number {
    return this.configuration.values.demoSpeed;
  }

  /** The API server of a cluster, created on first use. Refuses connections while no control plane runs. */
  apiServer(cluster: string): DemoApiServer {
    let server = this.apiServers.get(cluster);
    if (!server) {
      server = new DemoApiServer({
        cluster,
        speed: this.speed,
        nodes: () => this.nodesOf(cluster),
        onChange: (listener) => {
          const subscription = this.events.subscribe((event) => {
            if (event.cluster === cluster) listener();
          });
          return () => subscription.unsubscribe();
        },
      });
      // Without nodes there is no cluster yet: its objects depend on its first node.
      if (this.nodesOf(cluster).length > 0) this.apiServers.set(cluster, server);
    }
    return server;
  }

  async addNode(
    node: Pick<DemoNode, 'name' | 'cluster' | 'role' | 'image' | 'ports' | 'mounts' | 'files'>,
  ): Promise<void> {
    const number = this.state.nextId;
    this.state.nextId += 1;
    const now = new Date().toISOString();
    this.state.nodes.push({
      ...node,
      id: number.toString(16).padStart(64, 'd'),
      state: 'running',
      exitCode: null,
      address: `192.0.2.${(number % 250) + 2}`,
      volume: number.toString(16).padStart(64, 'e'),
      restartPolicy: 'on-failure',
      createdAt: now,
      stateSince: now,
    });
    await this.save();
    this.emit('start', node.name, node.cluster);
  }

  /** @throws DomainError `node_unchanged` if the node does not exist */
  node(name: string): DemoNode {
    const node = this.state.nodes.find((candidate) => candidate.name === name);
    if (!node) {
      throw new DomainError('node_unchanged', `Node ${name} does not exist in the demo.`, { node: name });
    }
    return node;
  }

  /** Changes the state of a node and emits an event. Does nothing if the node is in that state. */
  async setState(
    name: string,
    state: 'running' | 'paused' | 'exited',
    action: 'start' | 'die' | 'pause' | 'unpause',
  ): Promise<void> {
    const node = this.node(name);
    if (node.state === state) return;
    node.state = state;
    // The exit code of a node after systemd's halt.
    node.exitCode = state === 'exited' ? 130 : null;
    // As in an engine, a pause does not change the start time.
    if (action === 'start' || action === 'die') node.stateSince = new Date().toISOString();
    await this.save();
    this.emit(action, name, node.cluster, node.exitCode);
  }

  async setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    this.node(name).restartPolicy = policy;
    await this.save();
  }

  async removeNodes(ids: readonly string[]): Promise<void> {
    const removed = this.state.nodes.filter(({ id }) => ids.includes(id));
    if (removed.length === 0) return;
    this.state.nodes = this.state.nodes.filter(({ id }) => !ids.includes(id));
    for (const cluster of new Set(removed.map((node) => node.cluster))) {
      if (this.nodesOf(cluster).length > 0) continue;
      this.apiServers.get(cluster)?.close();
      this.apiServers.delete(cluster);
    }
    await this.save();
    for (const node of removed) this.emit('destroy', node.name, node.cluster);
  }

  /** Waits for seconds of demo time. @throws the signal's reason if it aborts */
  async pass(seconds: number, signal?: AbortSignal): Promise<void> {
    await delay((seconds * 1000) / this.speed, undefined, { signal });
  }

  secondsSince(time: string): number {
    return ((Date.now() - Date.parse(time)) / 1000) * this.speed;
  }

  /** @throws DomainError `demo_failure` if `APP_DEMO_FAILURES` lists the operation */
  failIfConfigured(operation: DemoFailure['operation'], step?: string): void {
    const configured = this.configuration.values.demoFailures.some(
      (failure) => failure.operation === operation && (failure.step === undefined || failure.step === step),
    );
    if (configured) {
      throw new DomainError(
        'demo_failure',
        `The demo fails here because APP_DEMO_FAILURES lists ${operation}${step ? `:${step}` : ''}.`,
      );
    }
  }

  private emit(
    action: NodeEvent['action'],
    container: string,
    cluster: string,
    exitCode: number | null = null,
  ): void {
    this.events.next({ action, container, cluster, exitCode, time: new Date().toISOString() });
  }

  private get file(): string {
    return join(this.dataDirectory.root, 'demo.json');
  }

  private load(): DemoState {
    try {
      const state = parseOwnJson<DemoState>(readFileSync(this.file, 'utf8'));
      return Array.isArray(state.nodes) ? state : structuredClone(FIRST_STATE);
    } catch {
      // The file does not exist yet, or is damaged.
      return structuredClone(FIRST_STATE);
    }
  }

  /** Serializes writes: of two at once, the older could win. */
  private async save(): Promise<void> {
    this.writing = this.writing.then(() => writeFileAtomically(this.file, JSON.stringify(this.state)));
    await this.writing;
  }
}
