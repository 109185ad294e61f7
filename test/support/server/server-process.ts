import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ApplicationName } from '../../../backend/src/apps/bootstrap.js';
import { readProject } from '../../../backend/src/core/config/index.js';
import { ApiClient } from '../app/api-client.js';
import { waitFor } from '../wait-for.js';

/** Generous: the first start after a build compiles everything, perhaps beside other suites. */
const PATIENCE_MS = 40_000;
/** Far longer than a graceful stop. A process that hangs is killed, which tests see in its exit status. */
const STOP_MS = 15_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The built product as a process of its own, as it runs for a user. */
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
   * Starts the product and does not wait for anything. `environment` is all that it is given.
   * @param applications which of its two run in this process: both where none is named; or its other command.
   */
  static launch(
    environment: NodeJS.ProcessEnv,
    applications: readonly (ApplicationName | 'new-password')[] = ['dashboard'],
  ): ServerProcess {
    const { root } = readProject();
    return new ServerProcess(
      spawn(process.execPath, [join(root, 'dist', 'server', 'main.js'), ...applications], {
        // Away from the project, where a developer's .env may lie.
        cwd: tmpdir(),
        env: {
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

  /** Starts the product and waits until it serves. @throws Error with its output when it does not. */
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
      throw new Error(`${String(error)}\nIt said:\n${server.log}`, { cause: error });
    }
    if (server.port !== undefined) server.api = new ApiClient(server.port);
    if (server.boardPort !== undefined) server.boardApi = new ApiClient(server.boardPort);
    return server;
  }

  get client(): ApiClient {
    if (!this.api) throw new Error('the server was launched and not awaited');
    return this.api;
  }

  /** Speaks to the log board. */
  get board(): ApiClient {
    if (!this.boardApi) throw new Error('the log board was not started');
    return this.boardApi;
  }

  /** What it said so far, on either stream. */
  get log(): string {
    return this.output.join('\n');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves when it has ended by itself or by a signal. @throws Error with its output when it does not. */
  async ended(): Promise<Exit> {
    await waitFor(
      () => this.hasEnded,
      () => `The end of a server that said\n${this.log}\n`,
      PATIENCE_MS,
    );
    this.api?.close();
    this.boardApi?.close();
    return { code: this.child.exitCode, signal: this.child.signalCode };
  }

  /** Ends it as a power cut does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }

  /** Ends it as a user does. @returns how it ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    const force = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    this.child.kill(signal);
    const exit = await this.ended();
    clearTimeout(force);
    return exit;
  }
}

/** A data folder for one test; the function removes it. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'slipway-faults-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
