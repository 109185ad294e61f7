import type { ApplicationName } from '../../../backend/src/apps/core.module.js';
import type { HealthDto } from '../../../backend/src/modules/health/index.js';
import { preparePassword } from '../app/log-board-password.js';
import { ScriptedMachine } from '../scripted-machine.js';
import { ServerProcess, temporaryFolder } from './server-process.js';

type MachineOptions = NonNullable<Parameters<typeof ScriptedMachine.start>[0]>;

/** A machine with scripted engines and a server that can be restarted. */
export class ScriptedServer {
  private current: ServerProcess | undefined;

  private constructor(
    readonly machine: ScriptedMachine,
    readonly dataDirectory: string,
    private readonly removeData: () => Promise<void>,
    private readonly environment: Record<string, string>,
    private readonly enginesRespond: boolean,
    private readonly applications: readonly ApplicationName[] | undefined,
  ) {}

  /** @param applications as in `ServerProcess.start`. */
  static async start(
    options: MachineOptions = {},
    environment: Record<string, string> = {},
    applications?: readonly ApplicationName[],
  ): Promise<ScriptedServer> {
    const machine = await ScriptedMachine.start(options);
    const { path, remove } = await temporaryFolder();
    await preparePassword(path, environment['APP_PASS']);
    const respond = options.engines?.length !== 0;
    const server = new ScriptedServer(machine, path, remove, environment, respond, applications);
    try {
      await server.startAgain();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  get process(): ServerProcess {
    if (!this.current) throw new Error('the server is not running');
    return this.current;
  }

  get client(): ServerProcess['client'] {
    return this.process.client;
  }

  /** Starts the server without waiting for engines. */
  async launchAgain(): Promise<void> {
    this.current = await ServerProcess.start(
      { ...this.machine.environment, APP_DATA_DIR: this.dataDirectory, ...this.environment },
      this.applications,
    );
  }

  /** Starts the server and waits for its engines. */
  async startAgain(): Promise<void> {
    await this.launchAgain();
    // On a busy machine, an engine may be added after the start.
    if (this.enginesRespond) {
      await this.client.until<HealthDto>('/api/v1/health', ({ checks = [] }) =>
        checks.some(({ name, ok }) => ok && ['docker', 'podman'].includes(name)),
      );
    }
  }

  /** Stops everything. @throws Error if the server sent requests or ran commands without a transcript. */
  async close(): Promise<void> {
    await this.current?.kill();
    await this.machine.close();
    await this.removeData();
  }
}

/** Runs a test with its own machine and server, and closes both. */
export async function withServer(
  test: (server: ScriptedServer) => Promise<void>,
  options?: MachineOptions,
  environment?: Record<string, string>,
  applications?: readonly ApplicationName[],
): Promise<void> {
  const server = await ScriptedServer.start(options, environment, applications);
  let failure: Error | undefined;
  try {
    await test(server);
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const log = server.process.log.split('\n').filter((line) => !line.includes('"level":"debug"'));
    failure = new Error(`${text}\n\nThe output of the server:\n${log.join('\n').slice(-6000)}`, {
      cause: error,
    });
  }
  // The error of the test has priority.
  await server.close().catch((error: unknown) => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  });
  if (failure) throw failure;
}
