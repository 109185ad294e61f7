import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createDashboard } from '../../../backend/src/apps/dashboard/create-dashboard.js';
import { bootstrap, type BootstrappedFoundation } from '../../../backend/src/apps/bootstrap.js';
import type { ApplicationName } from '../../../backend/src/apps/core.module.js';
import { createLogBoard } from '../../../backend/src/apps/log-board/create-log-board.js';
import { readConfiguration } from '../../../backend/src/core/config/configuration.js';
import { AppLogger } from '../../../backend/src/core/logging/app-logger.js';
import { RuntimeRegistry } from '../../../backend/src/drivers/runtime/runtime-registry.js';
import type { LocalRuntimeRegistry } from '../../../backend/src/drivers/runtime/local-runtime-registry.js';
import { ApiClient } from './api-client.js';
import { LOG_BOARD_PASSWORD, preparePassword } from './log-board-password.js';
import { ResponseContract } from './response-contract.js';

export interface AppOptions {
  /** Added to the environment. The default is a demo with a speed of 1000. */
  environment?: Record<string, string>;
  /** Puts files into the data folder before the start. */
  prepare?: (dataDirectory: string) => Promise<void> | void;
  /** A shared data folder. It is not deleted with the application. */
  dataDirectory?: string;
  writesPerMinute?: number;
  /** As if this process ran them too. */
  applications?: readonly ApplicationName[];
  /** Runs in the process of this one, of which it shares the foundation, and ends before it. */
  beside?: TestApp;
}

/** Of all spec files of this process: creating them takes 0.25 s per application. */
const shared = globalThis as { contracts?: Map<ApplicationName, ResponseContract> };
const contracts = (shared.contracts ??= new Map<ApplicationName, ResponseContract>());

/** An application in this process with its own port and data folder. */
export interface TestApp {
  nest: NestExpressApplication;
  foundation: BootstrappedFoundation;
  /** Checks each response against the OpenAPI document. */
  client: ApiClient;
  contract: ResponseContract;
  /** The result of the contract for each response. */
  seen: ReadonlySet<string>;
  port: number;
  dataDirectory: string;
  /** The log, one JSON entry per line. */
  log: () => string;
  stop: () => Promise<void>;
}

/** Starts the dashboard with a copy of the data of `app`, as after a restart. */
export async function startAppAgain(
  app: TestApp,
  environment: Record<string, string> = {},
  change: (dataDirectory: string) => void = () => undefined,
): Promise<TestApp> {
  return await startApp({
    environment,
    prepare: async (folder) => {
      await cp(app.dataDirectory, folder, { recursive: true });
      await rm(join(folder, 'instance.lock'), { recursive: true, force: true });
      change(folder);
    },
  });
}

/** Starts the dashboard in this process. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  return await startApplication('dashboard', options);
}

/** Starts the log board in this process, without the logs of the demo's containers unless the environment turns them on. */
export async function startLogBoard(options: AppOptions = {}): Promise<TestApp> {
  return await startApplication('log-board', {
    ...options,
    environment: { APP_PASS: LOG_BOARD_PASSWORD, APP_LOG_INTAKE: 'off', ...options.environment },
  });
}

async function startApplication(
  name: ApplicationName,
  {
    environment = {},
    prepare,
    writesPerMinute = 100_000,
    dataDirectory: given,
    applications = [name],
    beside,
  }: AppOptions,
): Promise<TestApp> {
  const dataDirectory = beside?.dataDirectory ?? given ?? (await mkdtemp(join(tmpdir(), 'slipway-api-')));
  await prepare?.(dataDirectory);
  await preparePassword(dataDirectory, environment['APP_PASS']);
  const configuration = readConfiguration({
    PATH: '/usr/bin:/bin',
    HOME: dataDirectory,
    APP_DATA_DIR: dataDirectory,
    APP_PORT: '0',
    APP_LOG_BOARD_PORT: '0',
    APP_RUNTIME: 'demo',
    APP_DEMO_SPEED: '1000',
    APP_LOG_LEVEL: 'debug',
    APP_LOG_FORMAT: 'json',
    ...environment,
  });
  const lines: string[] = [];
  const logger = AppLogger.create(configuration, { write: (line: string) => void lines.push(line) });
  const foundation = beside?.foundation ?? (await bootstrap(configuration, { applications, logger }));
  const create = name === 'dashboard' ? createDashboard : createLogBoard;
  const { app, apiDocument, listen } = await create(foundation, { writesPerMinute });
  const port = await listen();
  // The start does not wait for an engine that responds late, as on a busy machine. A test does.
  await app.get<unknown, LocalRuntimeRegistry>(RuntimeRegistry, { strict: false }).refresh();
  // Creating the document takes most of the time of a start, and it does not depend on the options.
  const contract = contracts.get(name) ?? new ResponseContract(apiDocument());
  contracts.set(name, contract);
  const seen = new Set<string>();
  const client = new ApiClient(port, (method, path, response) => {
    const what = contract.check(method, path, response);
    if (what) seen.add(what);
  });
  return {
    nest: app,
    foundation,
    client,
    contract,
    seen,
    port,
    dataDirectory,
    log: () => lines.join(''),
    stop: async () => {
      client.close();
      await app.close();
      if (beside) return;
      foundation.close();
      if (given === undefined) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
