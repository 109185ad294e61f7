import type { Readable } from 'node:stream';
import { Subject } from 'rxjs';
import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import {
  ContainerLogs,
  type ContainerLogFormat,
  type LoggedContainer,
  type LogPiece,
} from '../../../backend/src/drivers/runtime/container-logs.js';
import {
  RuntimeDriver,
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
  type RestartPolicy,
  type RuntimeInfo,
} from '../../../backend/src/drivers/runtime/runtime-driver.js';
import {
  RuntimeRegistry,
  type RuntimeStatus,
  type Survey,
  type SurveyedEngine,
} from '../../../backend/src/drivers/runtime/runtime-registry.js';
import type { RunningProgram } from '../../../backend/src/drivers/runtime/running-program.js';

const unexpected = (what: string): never => {
  throw new Error(`this test expects no ${what}`);
};

/** Logs that reject every call. Tests that need logs replace them. */
class UnexpectedLogs extends ContainerLogs {
  override list(): Promise<LoggedContainer[]> {
    return unexpected('list of containers');
  }

  override followChanges(): Promise<void> {
    return unexpected('following of containers');
  }

  override format(id: string): Promise<ContainerLogFormat> {
    return unexpected(`question for the log of ${id}`);
  }

  override open(id: string): AsyncIterable<LogPiece[]> {
    return unexpected(`reading of the log of ${id}`);
  }

  override run(id: string, command: readonly string[]): AsyncIterable<string[]> {
    return unexpected(`${command.join(' ')} in ${id}`);
  }
}

/** A fake runtime. Unexpected calls fail. */
export class FakeRuntime extends RuntimeDriver {
  override logs: ContainerLogs = new UnexpectedLogs();
  nodes: NodeContainer[] = [];
  /** How the next reads end: immediately, never, or with an error. */
  list: () => Promise<NodeContainer[]> = () => Promise.resolve(this.nodes);
  /** Ids of removed containers, in order. */
  readonly removed: string[] = [];
  sampled: string[][] = [];
  private readonly events = new Subject<NodeEvent>();
  /** Open event streams. */
  followers = 0;
  ownContainer: RuntimeInfo['ownContainer'] = null;
  storagePath: string | null = null;
  memoryBytes = 8e9;

  constructor(override readonly id = 'docker') {
    super();
  }

  override probe(): Promise<RuntimeInfo> {
    return Promise.resolve(this.info());
  }

  override ping(): Promise<void> {
    return Promise.resolve();
  }

  override info(): RuntimeInfo {
    return {
      version: '1',
      capabilities: {
        provisioner: 'kind',
        rootless: false,
        cgroupVersion: 2,
        memoryIncludesCache: false,
        hostAlias: 'host.docker.internal',
        restartPolicies: true,
        fixedAddresses: false,
      },
      host: { cpuCores: 4, memoryBytes: this.memoryBytes, storagePath: this.storagePath },
      clockOffsetMs: 0,
      ownContainer: this.ownContainer,
    };
  }

  override apiHost(): Promise<string | null> {
    return unexpected('route to an API server');
  }

  override listNodes(): Promise<NodeContainer[]> {
    return this.list();
  }

  override inspectNodes(): Promise<NodeSettings[]> {
    return unexpected('inspection');
  }

  override readNodeFile(_node: string, _path: string): Promise<string | undefined> {
    return unexpected('reading of a file');
  }

  override nodeFolder(): Promise<NodeJS.ReadableStream | undefined> {
    return unexpected('reading of a folder');
  }

  override sample(ids: readonly string[]): Promise<NodeSample[]> {
    this.sampled.push([...ids]);
    const at = Date.now();
    return Promise.resolve(
      ids.map((id) => ({
        id,
        at,
        cpuNanoseconds: at * 1e5,
        memoryBytes: 1e8,
        memoryLimitBytes: 1e9,
        networkRxBytes: at,
        networkTxBytes: at,
        blockReadBytes: at,
        blockWriteBytes: at,
      })),
    );
  }

  /** Emits an event to all followers. */
  publish(event: Partial<NodeEvent>): void {
    this.events.next({
      action: 'die',
      container: 'c-worker',
      cluster: 'c',
      exitCode: null,
      time: new Date().toISOString(),
      ...event,
    });
  }

  /** Ends all streams, as a restarting engine does. */
  breakStreams(): void {
    this.events.next({ action: 'other', container: 'break', cluster: '', exitCode: null, time: '' });
  }

  override async followEvents(onEvent: (event: NodeEvent) => void, signal: AbortSignal): Promise<void> {
    this.followers += 1;
    try {
      await new Promise<void>((_, reject) => {
        this.events.subscribe((event) => {
          if (event.container === 'break') {
            reject(new DomainError('runtime_unavailable', `${this.id} broke.`));
          } else if (!signal.aborted) onEvent(event);
        });
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true });
      });
    } finally {
      this.followers -= 1;
    }
  }

  override listImages(): Promise<LocalImage[]> {
    return unexpected('list of images');
  }

  override hasImage(): Promise<boolean> {
    return unexpected('question for an image');
  }

  override pullImage(): Promise<void> {
    return unexpected('pull');
  }

  override allImages(): Promise<EngineImage[]> {
    return unexpected('list of all images');
  }

  override saveImage(): Promise<Readable> {
    return unexpected('saving of an image');
  }

  override removeImage(): Promise<void> {
    return unexpected('removal of an image');
  }

  override listVolumes(): Promise<EngineVolume[]> {
    return unexpected('list of volumes');
  }

  override measureVolumes(): Promise<ReadonlyMap<string, number>> {
    return unexpected('measuring of volumes');
  }

  override removeVolume(): Promise<void> {
    return unexpected('removal of a volume');
  }

  override execInNode(): Promise<NodeExecution> {
    return unexpected('program in a node');
  }

  override runInTerminal(): Promise<RunningProgram> {
    return unexpected('terminal in a node');
  }

  /** Each node has a volume `volume-of-<id>`, which is removed with it. */
  override objectsOf(cluster: string): Promise<ClusterObjects> {
    const nodes = this.nodes.filter((node) => node.cluster === cluster);
    return Promise.resolve({
      containers: nodes.map(({ id, name, createdAt }) => ({
        id,
        name,
        createdAt,
        volumes: [`volume-of-${id}`],
      })),
      volumes: nodes.map(({ id, createdAt }) => ({ name: `volume-of-${id}`, node: null, createdAt })),
    });
  }

  override removeObjects({ containers }: { containers: readonly string[] }): Promise<void> {
    this.removed.push(...containers);
    this.nodes = this.nodes.filter(({ id }) => !containers.includes(id));
    return Promise.resolve();
  }

  override startNode(name: string): Promise<void> {
    return unexpected(`start of ${name}`);
  }

  override stopNode(name: string): Promise<void> {
    return unexpected(`stop of ${name}`);
  }

  override pauseNode(name: string): Promise<void> {
    return unexpected(`pause of ${name}`);
  }

  override unpauseNode(name: string): Promise<void> {
    return unexpected(`unpause of ${name}`);
  }

  override setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    return unexpected(`restart policy ${policy} of ${name}`);
  }

  override fixAddress(name: string, address: string | null): Promise<void> {
    return unexpected(`address ${address} for ${name}`);
  }

  /** Containers of other programs. */
  readonly foreign: string[] = [];

  override async containerNames(): Promise<string[]> {
    return [...this.foreign, ...(await this.listNodes()).map(({ name }) => name)];
  }

  override holderOf(address: string): Promise<string | null> {
    return Promise.resolve(this.nodes.find((node) => node.address === address)?.name ?? null);
  }

  override provider(): ProviderSettings {
    return unexpected('question for the provider');
  }
}

/** A registry of fake runtimes. */
export class FakeRegistry extends RuntimeRegistry {
  override readonly changes = new Subject<void>();
  readonly reports: unknown[] = [];
  readonly away = new Map<string, string>();
  engines: SurveyedEngine[] = [];
  override readonly survey: Survey = {
    settle: () => Promise.resolve(),
    isComplete: () => true,
    engines: () => this.engines,
  };
  /** Since when each engine is as it is. */
  since = '2026-11-21T09:00:00.000Z';

  constructor(private readonly runtimes: readonly RuntimeDriver[]) {
    super();
  }

  statuses(): RuntimeStatus[] {
    return this.runtimes.map((runtime) => ({
      id: runtime.id,
      available: !this.away.has(runtime.id),
      reason: this.away.get(runtime.id) ?? null,
      fix: null,
      info: runtime.info(),
      since: this.since,
      attempts: [],
    }));
  }

  available(): RuntimeDriver[] {
    return this.runtimes.filter(({ id }) => !this.away.has(id));
  }

  get(id: string): RuntimeDriver {
    const found = this.available().find((runtime) => runtime.id === id);
    if (!found) throw new DomainError('runtime_unavailable', this.away.get(id) ?? `There is no ${id}.`);
    return found;
  }

  active(): RuntimeDriver | undefined {
    return this.available()[0];
  }

  report(id: string, error: unknown): void {
    this.reports.push(error);
    if (error instanceof DomainError) this.away.set(id, error.message);
  }
}

/** A running node. */
export function runningNode(name: string, more: Partial<NodeContainer> = {}): NodeContainer {
  return {
    id: `id-of-${name}`,
    name,
    cluster: 'c',
    role: name.includes('worker') ? 'worker' : 'control-plane',
    state: 'running',
    exitCode: null,
    outOfMemory: false,
    image: 'kindest/node:v1.34.4',
    imageId: null,
    address: '172.18.0.2',
    ports: [],
    createdAt: '2026-11-21T09:00:00.000Z',
    stateSince: null,
    ...more,
  };
}
