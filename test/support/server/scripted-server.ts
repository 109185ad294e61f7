import type { ApplicationName } from '../../../backend/src/apps/bootstrap.js';
import type { HealthDto } from '../../../backend/src/modules/health/index.js';
import { ScriptedMachine } from '../scripted-machine.js';
import { ServerProcess, temporaryFolder } from './server-process.js';

type MachineOptions = NonNullable<Parameters<typeof ScriptedMachine.start>[0]>;

/** A machine with scripted engines, and the product on it, which can be ended and started again. */
export class ScriptedServer {
  private current: ServerProcess | undefined;

  private constructor(
    readonly machine: ScriptedMachine,
    readonly dataDirectory: string,
    private readonly removeData: () => Promise<void>,
    private readonly environment: Record<string, string>,
    private readonly enginesAnswer: boolean,
    private readonly applications: readonly ApplicationName[] | undefined,
  ) {}

  /** @param applications as `ServerProcess.start` takes them. */
  static async start(
    options: MachineOptions = {},
    environment: Record<string, string> = {},
    applications?: readonly ApplicationName[],
  ): Promise<ScriptedServer> {
    const machine = await ScriptedMachine.start(options);
    const { path, remove } = await temporaryFolder();
    const answers = options.engines?.length !== 0;
    const server = new ScriptedServer(machine, path, remove, environment, answers, applications);
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

  /** Starts the product, whatever the engines do. */
  async launchAgain(): Promise<void> {
    this.current = await ServerProcess.start(
      { ...this.machine.environment, APP_DATA_DIR: this.dataDirectory, ...this.environment },
      this.applications,
    );
  }

  /** Starts the product, and waits for its engines. */
  async startAgain(): Promise<void> {
    await this.launchAgain();
    // A slow engine joins when it answers, which on a busy machine may be after the server serves.
    if (this.enginesAnswer) {
      await this.client.until<HealthDto>('/api/v1/health', ({ checks }) =>
        checks.some(({ name, ok }) => ok && ['docker', 'podman'].includes(name)),
      );
    }
  }

  /** Ends everything. @throws Error when the product asked an engine or kind what no transcript knows. */
  async close(): Promise<void> {
    await this.current?.kill();
    await this.machine.close();
    await this.removeData();
  }
}

/** Runs a test on a server of its own, and ends all of it however the test ends. */
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
    failure = new Error(`${text}\n\nThe server said:\n${log.join('\n').slice(-6000)}`, { cause: error });
  }
  // What the test itself found says more than what its end did.
  await server.close().catch((error: unknown) => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  });
  if (failure) throw failure;
}
