import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createDashboard } from '../../../backend/src/apps/dashboard/create-dashboard.js';
import { bootstrap, type ApplicationName } from '../../../backend/src/apps/bootstrap.js';
import { createLogBoard } from '../../../backend/src/apps/log-board/create-log-board.js';
import { readConfiguration } from '../../../backend/src/core/config/index.js';
import { AppLogger } from '../../../backend/src/core/logging/index.js';
import { AnswerContract } from './answer-contract.js';
import { ApiClient } from './api-client.js';
import { LOG_BOARD_PASSWORD } from './log-board-password.js';

export interface AppOptions {
  /** Added to the environment of a demo whose time runs a thousand times as fast. */
  environment?: Record<string, string>;
  /** Puts files into the data folder before the start. */
  prepare?: (dataDirectory: string) => Promise<void> | void;
  /** A data folder that another application has too; it stays when this one stops. */
  dataDirectory?: string;
  /** Changing requests a minute; a suite makes more than a person does. */
  writesPerMinute?: number;
}

/** An application in this process, on a port and a data folder of its own. */
export interface TestApp {
  nest: NestExpressApplication;
  /** Holds each answer against the API document. */
  client: ApiClient;
  contract: AnswerContract;
  port: number;
  dataDirectory: string;
  /** Everything that was logged so far, one JSON entry a line. */
  log: () => string;
  stop: () => Promise<void>;
}

/** The same on a copy of its data, as after a restart with another environment or another world. */
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

/** Starts the dashboard as `npm start` does, less the process around it. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  return await startApplication('dashboard', options);
}

/** Starts the log board as `npm start` does, less the process around it. */
export async function startLogBoard(options: AppOptions = {}): Promise<TestApp> {
  return await startApplication('log-board', {
    ...options,
    environment: { APP_PASS: LOG_BOARD_PASSWORD, ...options.environment },
  });
}

async function startApplication(
  name: ApplicationName,
  { environment = {}, prepare, writesPerMinute = 100_000, dataDirectory: given }: AppOptions,
): Promise<TestApp> {
  const dataDirectory = given ?? (await mkdtemp(join(tmpdir(), 'slipway-api-')));
  await prepare?.(dataDirectory);
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
  const foundation = await bootstrap(configuration, { applications: [name], logger });
  const create = name === 'dashboard' ? createDashboard : createLogBoard;
  const { app, apiDocument, listen } = await create(foundation, { writesPerMinute });
  const port = await listen();
  const contract = new AnswerContract(apiDocument());
  const client = new ApiClient(port, (method, path, answer) => contract.check(method, path, answer));
  return {
    nest: app,
    client,
    contract,
    port,
    dataDirectory,
    log: () => lines.join(''),
    stop: async () => {
      client.close();
      await app.close();
      foundation.close();
      if (given === undefined) await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
