import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApplicationName } from '../../../backend/src/apps/core.module.js';
import { ApiClient } from '../app/api-client.js';
import { waitFor } from '../wait-for.js';
import { BUILT_SERVER, COMPILED } from './built-server.js';

/** Generous, because the first start after a build compiles everything and other suites may run. */
const PATIENCE_MS = 60_000;
/** Far longer than a graceful stop. A process that hangs is killed, which its exit status shows. */
const STOP_MS = 15_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The built server as a process. */
export class ServerProcess {
  private readonly output: string[] = [];
  private port: number | undefined;
  private boardPort: number | undefined;
  private api: ApiClient | undefined;
  private boardApi: ApiClient | undefined;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.output.push(line);
        const [, name, port] = /(Slipway|Its log board) is at http:\/\/localhost:(\d+)/.exec(line) ?? [];
        if (name === 'Slipway') this.port = Number(port);
        else if (name !== undefined) this.boardPort = Number(port);
      });
    }
  }

  /**
   * Starts the server without waiting for it.
   * @param environment its whole environment.
   * @param applications that run in the process, all if empty; or another command.
   */
  static launch(
    environment: NodeJS.ProcessEnv,
    applications: readonly (ApplicationName | 'new-password')[] = ['dashboard'],
  ): ServerProcess {
    return new ServerProcess(
      spawn(process.execPath, [BUILT_SERVER, ...applications], {
        cwd: tmpdir(),
        env: {
          // The project may have a .env file.
          SLIPWAY_ENV_FILE: '/dev/null',
          // Most have a new home folder, and a killed one saves no cache. With this, a start takes 1.4 s of CPU instead of 1.8 s.
          NODE_COMPILE_CACHE: COMPILED,
          APP_LOG_FORMAT: 'json',
          APP_LOG_LEVEL: 'debug',
          APP_PORT: '0',
          APP_LOG_BOARD_PORT: '0',
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Starts the server and waits until it listens. @throws Error with its output if it does not. */
  static async start(
    environment: NodeJS.ProcessEnv,
    applications: readonly ApplicationName[] = ['dashboard'],
  ): Promise<ServerProcess> {
    const server = ServerProcess.launch(environment, applications);
    const both = applications.length === 0;
    try {
      const missing = (): boolean =>
        ((both || applications.includes('dashboard')) && server.port === undefined) ||
        ((both || applications.includes('log-board')) && server.boardPort === undefined);
      await waitFor(() => server.hasEnded || !missing(), 'the server', PATIENCE_MS);
      if (missing()) throw new Error('the server did not start');
    } catch (error) {
      await server.kill();
      throw new Error(`${String(error)}\nIts output:\n${server.log}`, { cause: error });
    }
    if (server.port !== undefined) server.api = new ApiClient(server.port);
    if (server.boardPort !== undefined) server.boardApi = new ApiClient(server.boardPort);
    return server;
  }

  get client(): ApiClient {
    if (!this.api) throw new Error('the server was launched without waiting for it');
    return this.api;
  }

  /** A client of the log board. */
  get board(): ApiClient {
    if (!this.boardApi) throw new Error('the log board was not started');
    return this.boardApi;
  }

  /** Its output on both streams. */
  get log(): string {
    return this.output.join('\n');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits for its end. @throws Error with its output if it does not end. */
  async ended(): Promise<Exit> {
    await waitFor(
      () => this.hasEnded,
      () => `The end of a server with the output\n${this.log}\n`,
      PATIENCE_MS,
    );
    this.api?.close();
    this.boardApi?.close();
    return { code: this.child.exitCode, signal: this.child.signalCode };
  }

  /** Closes the pipes of its output, as a log collector that ends. */
  closeOutput(): void {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
  }

  /** Sends a signal without waiting for the end. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Kills it, as in a power cut. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  /** Stops it gracefully. @returns its exit status. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    this.child.kill(signal);
    const exit = await this.ended();
    clearTimeout(force);
    return exit;
  }
}

/** Creates a data folder, which `remove` deletes. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'slipway-faults-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
