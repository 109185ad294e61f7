import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import type { ApiConnection } from '../../../backend/src/drivers/kubernetes/index.js';
import { readTranscript, situation, type EngineName, type KindRun } from '../../transcripts/transcript.js';
import { ScriptedApiServer, type ApiNode } from '../engine/scripted-api-server.js';
import type { ScriptedEngine } from '../engine/scripted-engine.js';
import { imagesIn } from '../images/archives.js';
import type { WorldEvent } from '../engine/engine-world.js';
import { planNodes, type KindConfig, type PlannedNode } from './planned-nodes.js';
import type { ScriptedProcess } from './program-stage.js';

/** Job steps of a creation with the start of the line that kind prints. */
const KIND_LINES = {
  'ensuring-node-image': 'Ensuring node image',
  'preparing-nodes': 'Preparing nodes',
  'writing-configuration': 'Writing configuration',
  'starting-control-plane': 'Starting control-plane',
  'installing-cni': 'Installing CNI',
  'installing-storage-class': 'Installing StorageClass',
  'joining-workers': 'Joining worker nodes',
} as const;
type KindStep = keyof typeof KIND_LINES;

/** Recorded failures. */
export type RecordedFailure = 'failing-at-a-port' | 'failing-in-kubeadm';

/** Variables that child processes must not have. */
const SECRETS = ['APP_PASS', 'SECRET_KEY', 'ENCRYPTION_KEY'];

/**
 * Simulates kind with recorded output on scripted engines: creations add containers and volumes. Calls with other
 * arguments or another environment than the recorded ones fail.
 */
export class ScriptedKind {
  /** Time between two lines. */
  lineMs = 1;
  /** The next creations and their child processes ignore SIGTERM. */
  stubborn = false;
  /** The next creations fail as recorded. */
  failure: RecordedFailure | undefined;
  /** Whether loads of images hang. */
  stallsLoads = false;
  /** Version line. Slipway rejects old versions. */
  version: string | undefined;
  /** Processes that were started, in order. */
  readonly processes: ScriptedProcess[] = [];
  /** API servers of the clusters, by cluster and engine: `docker/demo`. */
  readonly apiServers = new Map<string, ScriptedApiServer>();
  /** Backend of API servers of clusters that are created from now on. Slipway may read all kinds of one before its creation ends. */
  behind: ApiConnection | undefined;
  private frozenAt: KindStep | undefined;
  private thawed: Promise<void> = Promise.resolve();
  private thawNow: () => void = () => undefined;
  private reached = new Set<KindStep>();

  private readonly players: Record<string, (process: ScriptedProcess) => Promise<void>> = {
    version: (process) => this.playVersion(process),
    'create cluster': (process) => this.playCreate(process),
    'get kubeconfig': (process) => this.playKubeconfig(process),
    'load image-archive': (process) => this.playLoad(process),
  };

  /** Modified kubeconfigs in the nodes, which kind returns unchanged. */
  inNodes: ((kubeconfig: string) => string) | undefined;

  constructor(private readonly engines: ReadonlyMap<EngineName, ScriptedEngine>) {}

  /** The next creations stop after they print the line of a step, until `thaw`. */
  freezeAt(step: KindStep): void {
    this.frozenAt = step;
    this.reached = new Set();
    this.thawed = new Promise((resolve) => {
      this.thawNow = resolve;
    });
  }

  thaw(): void {
    this.frozenAt = undefined;
    this.thawNow();
  }

  hasReached(step: KindStep): boolean {
    return this.reached.has(step);
  }

  play = async (process: ScriptedProcess): Promise<void> => {
    this.processes.push(process);
    const { args } = process.call;
    const leaked = SECRETS.filter((name) => name in process.call.environment);
    if (leaked.length > 0) throw new Error(`it was given ${leaked.join(', ')}`);
    const command = args.slice(0, 2).join(' ');
    const player = this.players[command];
    if (!player) throw new Error(`no transcript has the command "${command}"`);
    await player(process);
  };

  async close(): Promise<void> {
    this.thaw();
    await Promise.all([...this.apiServers.values()].map((api) => api.stop()));
  }

  /** Creates a cluster without Slipway. */
  async makeOutside(engine: EngineName, cluster: string, config: KindConfig = {}): Promise<void> {
    const scripted = this.engines.get(engine);
    if (!scripted) throw new Error(`this machine has no ${engine}`);
    await this.makeNodes(scripted, cluster, planNodes(engine, cluster, config));
  }

  private async playVersion(process: ScriptedProcess): Promise<void> {
    const run = situation(readTranscript('docker').kind, 'idle');
    matchArguments(process.call.args, run);
    for (const { text } of run.output) process.print('stdout', this.version ?? text);
    process.exit(run.exitCode);
  }

  private async playCreate(process: ScriptedProcess): Promise<void> {
    const engine = this.engineOf(process);
    const cluster = flag(process, 'name');
    const exists = engine.world.nodesOf(cluster).length > 0;
    const name = exists ? 'creating-what-exists' : (this.failure ?? 'creating');
    const run = creations(engine.engine, name);
    matchArguments(process.call.args, run);
    if (this.stubborn) await process.beStubborn();
    if (exists) {
      await this.printAll(process, run, { cluster });
      return;
    }
    const config = parse(await readFile(flag(process, 'config'), 'utf8')) as KindConfig;
    const nodes = planNodes(engine.engine, cluster, config);
    const values = {
      cluster,
      image: nodes[0]?.image ?? '',
      folder: '',
      'kubeconfig-file': flag(process, 'kubeconfig'),
    };
    for (const { stream, text } of run.output) {
      if (!applies(text, nodes, config)) continue;
      await delay(this.lineMs, undefined, { signal: process.gone });
      if (text.startsWith('Set kubectl context')) {
        await this.keepKubeconfig(engine, cluster, flag(process, 'kubeconfig'));
      }
      if (text.startsWith(' ✓ Preparing nodes')) await this.makeNodes(engine, cluster, nodes);
      process.print(stream, fill(text, values).replace(/(📦 )+/, '📦 '.repeat(nodes.length)));
      await this.pauseAt(process, engine, cluster, nodes, text);
    }
    process.exit(run.exitCode);
  }

  /** Waits at the step of `freezeAt`. Volumes are created before containers, as in Podman. */
  private async pauseAt(
    process: ScriptedProcess,
    engine: ScriptedEngine,
    cluster: string,
    nodes: readonly PlannedNode[],
    text: string,
  ): Promise<void> {
    const step = stepAt(text);
    if (!step) return;
    this.reached.add(step);
    if (step !== this.frozenAt) return;
    if (step === 'preparing-nodes' && this.failure !== 'failing-at-a-port') {
      // The step is incomplete: only one node exists.
      await this.makeNodes(engine, cluster, nodes.slice(0, 1));
    }
    await Promise.race([this.thawed, hang(process)]);
  }

  private async makeNodes(
    engine: ScriptedEngine,
    cluster: string,
    nodes: readonly PlannedNode[],
  ): Promise<void> {
    for (const node of nodes) {
      const { name, role } = node;
      if (engine.world.find(name)) continue;
      let port: number | null = null;
      if (role === 'control-plane') {
        const api = await ScriptedApiServer.start();
        api.behind = this.behind;
        this.apiServers.set(`${engine.engine}/${cluster}`, api);
        port = api.port;
      }
      const { id } = engine.world.addNode({ ...node, cluster, port, volume: engine.world.addVolume(name) });
      const api = this.apiServers.get(`${engine.engine}/${cluster}`);
      if (!api) continue;
      // A kubelet reports after the start of its container.
      const member = { name, ready: true, renewedAt: new Date(Date.now() + 1) };
      api.nodes.push(member);
      this.followNode(engine, id, api, member);
    }
  }

  /** Applies container events to the API server. As in Kubernetes, a stopped node stays ready for a while. */
  private followNode(engine: ScriptedEngine, own: string, api: ScriptedApiServer, node: ApiNode): void {
    const follow = ({ action, node: { id, name, role } }: WorldEvent): void => {
      // By id, because a recreated node has the same name.
      if (id !== own) return;
      if (action === 'start') {
        node.renewedAt = new Date(Date.now() + 1);
        api.dns = { nodeName: name, startedAt: new Date() };
      }
      if (role !== 'control-plane') return;
      if (action === 'destroy') {
        void api.stop();
        for (const [key, other] of this.apiServers) if (other === api) this.apiServers.delete(key);
      }
      if (action === 'die' || action === 'pause') void api.goAway();
      if (action === 'start' || action === 'unpause') void api.comeBack();
    };
    engine.world.events.on('event', follow);
  }

  private async keepKubeconfig(engine: ScriptedEngine, cluster: string, path: string): Promise<void> {
    await writeFile(path, this.kubeconfigOf(engine, cluster), { mode: 0o600 });
  }

  private async playKubeconfig(process: ScriptedProcess): Promise<void> {
    const engine = this.engineOf(process);
    const cluster = flag(process, 'name');
    const exists = this.apiServers.has(`${engine.engine}/${cluster}`);
    const run = situation(readTranscript(engine.engine).kind, exists ? 'running' : 'kubeconfig-of-nothing');
    matchArguments(process.call.args, run);
    if (!exists) {
      await this.printAll(process, run, { cluster });
      return;
    }
    process.print('stdout', this.kubeconfigOf(engine, cluster));
    process.exit(run.exitCode);
  }

  /** Prints nothing on success. */
  private async playLoad(process: ScriptedProcess): Promise<void> {
    const engine = this.engineOf(process);
    const file = process.call.args.at(-1) ?? '';
    const name = flag(process, 'nodes');
    const expected = `load image-archive --name=${flag(process, 'name')} --nodes=${name} -- ${file}`;
    if (process.call.args.join(' ') !== expected) throw new Error(`it is called as "${expected}"`);
    const node = engine.world.nodesOf(flag(process, 'name')).find((one) => one.name === name);
    if (!node) throw new Error(`there is no node ${name}`);
    if (this.stubborn) await process.beStubborn();
    const images = await imagesIn(file);
    if (this.stallsLoads) await once(process.gone, 'abort');
    if (process.gone.aborted) return;
    node.loaded.push(...images);
    process.exit(0);
  }

  private async printAll(
    process: ScriptedProcess,
    run: KindRun,
    values: Record<string, string>,
  ): Promise<void> {
    for (const { stream, text } of run.output) {
      await delay(this.lineMs, undefined, { signal: process.gone });
      process.print(stream, fill(text, values));
    }
    process.exit(run.exitCode);
  }

  private kubeconfigOf(engine: ScriptedEngine, cluster: string): string {
    const api = this.apiServers.get(`${engine.engine}/${cluster}`);
    if (!api) throw new Error(`${cluster} has no API server`);
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    const { output } = situation(readTranscript(engine.engine).kind, 'running');
    const text = output
      .filter(({ stream }) => stream === 'stdout')
      .map(({ text }) =>
        fill(text, {
          cluster,
          server: api.address,
          'certificate-authority': base64(api.authority.certificate),
          'client-certificate': base64(api.client.certificate),
          'client-key': base64(api.client.key),
        }),
      )
      .join('\n');
    return this.inNodes?.(text) ?? text;
  }

  /** The engine of a call, from the variables that kind uses. */
  private engineOf({ call }: ScriptedProcess): ScriptedEngine {
    const { environment } = call;
    const provider = environment['KIND_EXPERIMENTAL_PROVIDER'];
    const engine = this.engines.get(provider as EngineName);
    if (!engine) throw new Error(`KIND_EXPERIMENTAL_PROVIDER is "${provider ?? ''}"`);
    const variable = provider === 'docker' ? 'DOCKER_HOST' : 'CONTAINER_HOST';
    const expected = `unix://${engine.socket}`;
    if (environment[variable] !== expected) {
      throw new Error(`${variable} is "${environment[variable] ?? ''}" and not "${expected}"`);
    }
    return engine;
  }
}

/** Rejects when the program is killed. */
async function hang({ gone }: ScriptedProcess): Promise<never> {
  if (!gone.aborted) await once(gone, 'abort');
  throw new Error('killed');
}

/** A situation may have several runs. */
function creations(engine: EngineName, name: string): KindRun {
  return situation(
    readTranscript(engine).kind.filter(({ args }) => args[0] === 'create'),
    name,
  );
}

function flag({ call }: ScriptedProcess, name: string): string {
  const prefix = `--${name}=`;
  const found = call.args.filter((argument) => argument.startsWith(prefix));
  if (found.length !== 1) throw new Error(`--${name} is given ${found.length} times`);
  return found[0]?.slice(prefix.length) ?? '';
}

/** Expects the recorded arguments, with any value for placeholders. */
function matchArguments(args: readonly string[], run: KindRun): void {
  const matches =
    args.length === run.args.length &&
    run.args.every((pattern, index) => {
      const fixed = pattern.split(/\{[a-z-]+\}.*$/)[0] ?? '';
      const argument = args[index] ?? '';
      return fixed === pattern
        ? argument === pattern
        : argument.startsWith(fixed) && argument.length > fixed.length;
    });
  if (!matches) throw new Error(`the recorded call is "${run.args.join(' ')}"`);
}

function fill(text: string, values: Record<string, string>): string {
  return text
    .replaceAll('{folder}/kubeconfig', values['kubeconfig-file'] ?? '{folder}/kubeconfig')
    .replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Omits lines of steps that a smaller cluster does not have. */
function applies(text: string, nodes: readonly PlannedNode[], { networking }: KindConfig): boolean {
  if (text.includes('Joining worker nodes')) return nodes.some(({ role }) => role === 'worker');
  if (text.includes('Installing CNI')) return networking?.disableDefaultCNI !== true;
  return true;
}

function stepAt(text: string): KindStep | undefined {
  if (!text.startsWith(' • ')) return undefined;
  const found = Object.entries(KIND_LINES).find(([, line]) => text.startsWith(` • ${line}`));
  return found?.[0] as KindStep | undefined;
}
