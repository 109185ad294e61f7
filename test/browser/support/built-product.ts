import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as dashboard from '../../../backend/src/apps/dashboard/create-dashboard.js';
import type { Application } from '../../../backend/src/apps/http/application.js';
import type * as bootstrapping from '../../../backend/src/apps/bootstrap.js';
import type { ApplicationName } from '../../../backend/src/apps/core.module.js';
import type * as logBoard from '../../../backend/src/apps/log-board/create-log-board.js';
import type * as config from '../../../backend/src/core/config/index.js';
import { readProject } from '../../../backend/src/core/config/project.js';
import type * as logging from '../../../backend/src/core/logging/index.js';
import { ApiClient } from '../../support/app/api-client.js';

/**
 * The built product in this process: its modules load once per worker, because starting a process takes longer
 * than most tests. Running it as a process is covered by the fault suites.
 */
export class BuiltProduct {
  private readonly clients = new Map<ApplicationName, ApiClient>();

  private constructor(
    private readonly lines: readonly string[],
    private readonly running: readonly Application[],
    private readonly release: () => void,
  ) {}

  /** @param environment the whole environment of the product */
  static async start(
    environment: NodeJS.ProcessEnv,
    applications: readonly ApplicationName[] = ['dashboard'],
  ): Promise<BuiltProduct> {
    const { readConfiguration, AppLogger, bootstrap, create } = await loadParts();
    const configuration = readConfiguration({
      APP_LOG_FORMAT: 'json',
      APP_PORT: '0',
      APP_LOG_BOARD_PORT: '0',
      ...environment,
    });
    const lines: string[] = [];
    const logger = AppLogger.create(configuration, { write: (line: string) => void lines.push(line) });
    const foundation = await bootstrap(configuration, { applications, logger });
    const running: Application[] = [];
    const product = new BuiltProduct(lines, running, foundation.close);
    for (const name of applications) {
      const application = await create[name](foundation);
      running.push(application);
      product.clients.set(name, new ApiClient(await application.listen()));
    }
    return product;
  }

  /** The log so far. */
  get log(): string {
    return this.lines.join('');
  }

  /** API client of the dashboard. */
  get client(): ApiClient {
    return this.clientOf('dashboard');
  }

  /** API client of the log board. */
  get board(): ApiClient {
    return this.clientOf('log-board');
  }

  async stop(): Promise<void> {
    for (const client of this.clients.values()) client.close();
    await Promise.all(this.running.map(({ app }) => app.close()));
    this.release();
  }

  private clientOf(name: ApplicationName): ApiClient {
    const client = this.clients.get(name);
    if (!client) throw new Error(`the ${name} was not started`);
    return client;
  }
}

interface Parts {
  readConfiguration: typeof config.readConfiguration;
  AppLogger: typeof logging.AppLogger;
  bootstrap: typeof bootstrapping.bootstrap;
  create: Record<ApplicationName, typeof dashboard.createDashboard>;
}

async function loadParts(): Promise<Parts> {
  await import('reflect-metadata');
  const [{ readConfiguration }, { AppLogger }, { bootstrap }, { createDashboard }, { createLogBoard }] =
    await Promise.all([
      built<typeof config>('core/config/index.js'),
      built<typeof logging>('core/logging/index.js'),
      built<typeof bootstrapping>('apps/bootstrap.js'),
      built<typeof dashboard>('apps/dashboard/create-dashboard.js'),
      built<typeof logBoard>('apps/log-board/create-log-board.js'),
    ]);
  return {
    readConfiguration,
    AppLogger,
    bootstrap,
    create: { dashboard: createDashboard, 'log-board': createLogBoard },
  };
}

/** A module of the built backend. */
export async function built<Module>(path: string): Promise<Module> {
  const { root } = readProject();
  return (await import(pathToFileURL(join(root, 'dist', 'backend', 'src', path)).href)) as Module;
}
