import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineName } from '../transcripts/transcript.js';
import { ScriptedEngine } from './engine/scripted-engine.js';
import { ProgramStage } from './programs/program-stage.js';
import { ScriptedHelm } from './programs/scripted-helm.js';
import { ScriptedKind } from './programs/scripted-kind.js';

interface Options {
  engines?: readonly EngineName[];
  /** Local images. */
  images?: readonly string[];
  /** Whether kind is missing. */
  withoutKind?: boolean;
  /** Version of helm; undefined without helm. */
  helm?: ScriptedHelm['version'];
}

/**
 * A machine with scripted engines and a scripted kind, for tests that start the server:
 *
 *     const machine = await ScriptedMachine.start();
 *     spawn(node, [BUILT_SERVER], { env: { ...machine.environment, APP_DATA_DIR, APP_PORT } });
 *     machine.kind.freezeAt('installing-cni');         // a creation stops there
 *     await waitFor(() => machine.kind.hasReached('installing-cni'), 'the step');
 *     machine.kind.thaw();                             // and continues
 *     machine.kind.stubborn = true;                    // ignores SIGTERM
 *     machine.kind.failure = 'failing-in-kubeadm';     // fails as recorded
 *     machine.engine('docker').world.kill('a-worker'); // outside Slipway, with its event
 *     machine.engine('docker').hang();                 // never responds; respondAgain()
 *     await machine.engine('docker').goAway();         // no socket; comeBack()
 *     machine.engine('docker').pull.messageMs = 50;    // a slow pull
 *     machine.engine('docker').world.nodes             // remaining nodes, also `volumes`
 *     machine.kind.apiServers.get('docker/c').behind = world.apiServer('c');     // objects of the cluster
 *     machine.helm.hangsAt = 'upgrade';                // of `start({ helm: '4.3.1' })`
 *     await machine.close();                           // fails the test after unexpected calls
 */
export class ScriptedMachine {
  private constructor(
    readonly folder: string,
    private readonly engines: ReadonlyMap<EngineName, ScriptedEngine>,
    readonly kind: ScriptedKind,
    private readonly stage: ProgramStage,
    private readonly withoutKind: boolean,
    private readonly scriptedHelm: ScriptedHelm | undefined,
  ) {}

  static async start({
    engines = ['docker'],
    images = ['docker.io/kindest/node:v1.34.4'],
    withoutKind = false,
    helm: helmVersion,
  }: Options = {}): Promise<ScriptedMachine> {
    const folder = await mkdtemp(join(tmpdir(), 'machine-'));
    const started = new Map<EngineName, ScriptedEngine>();
    for (const engine of engines) {
      const scripted = await ScriptedEngine.start(engine, join(folder, `${engine}.sock`));
      for (const image of images) scripted.addImage(image);
      started.set(engine, scripted);
    }
    const kind = new ScriptedKind(started);
    // The CLIs of engines are found but never called.
    const uncalled = (): Promise<void> => Promise.reject(new Error('Slipway must not call it'));
    const helm = helmVersion && new ScriptedHelm(helmVersion);
    const stage = await ProgramStage.open(folder, {
      ...(withoutKind ? {} : { kind: kind.play }),
      ...(helm ? { helm: helm.play } : {}),
      ...Object.fromEntries(engines.map((engine) => [engine, uncalled])),
    });
    return new ScriptedMachine(folder, started, kind, stage, withoutKind, helm);
  }

  engine(name: EngineName): ScriptedEngine {
    const engine = this.engines.get(name);
    if (!engine) throw new Error(`this machine has no ${name}`);
    return engine;
  }

  get helm(): ScriptedHelm {
    if (!this.scriptedHelm) throw new Error('this machine has no helm');
    return this.scriptedHelm;
  }

  /** The whole environment of the server, without engines of the real machine. */
  get environment(): Record<string, string> {
    const socket = (engine: EngineName): string => join(this.folder, `${engine}.sock`);
    return {
      PATH: this.stage.bin,
      HOME: this.folder,
      DOCKER_HOST: `unix://${socket('docker')}`,
      APP_PODMAN_SOCKET: socket('podman'),
      // Tests send no requests to other servers.
      APP_REGISTRY_LOOKUP: 'off',
      APP_HELM: join(this.stage.bin, 'helm'),
      APP_KIND: join(this.stage.bin, this.withoutKind ? 'no-kind-here' : 'kind'),
    };
  }

  /** All calls of programs. */
  get calls(): readonly { program: string; args: string[]; environment: Record<string, string> }[] {
    return this.stage.calls;
  }

  /** Requests and calls without a transcript. */
  get unexpected(): string[] {
    return [
      ...[...this.engines.values()].flatMap(({ unexpected }) => unexpected),
      ...this.stage.unexpected,
      ...[...this.kind.apiServers.values()].flatMap(({ unexpected }) => unexpected),
    ];
  }

  /** Call it after the server has ended. @throws Error with unexpected requests and calls. */
  async close(): Promise<void> {
    const { unexpected } = this;
    for (const engine of this.engines.values()) await engine.goAway();
    await this.kind.close();
    await this.stage.close();
    await rm(this.folder, { recursive: true, force: true });
    if (unexpected.length > 0) {
      throw new Error(`Requests and calls without a transcript:\n  ${unexpected.join('\n  ')}`);
    }
  }
}
