import 'reflect-metadata';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  readEnvironment,
} from '../core/config/index.js';
import { reasonOf } from '../core/errors/index.js';
import { AppLogger } from '../core/logging/index.js';
import { createDashboard, type Dashboard } from './dashboard/create-dashboard.js';
import { layFoundation, type LaidFoundation } from './lay-foundation.js';

/** Longest that a stop may take; what is not rolled back by then is put right at the next start. */
const STOP_DEADLINE_MS = 25_000;

/** Runs the product until it is told to stop. @returns the exit status. */
export async function start(): Promise<number> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration(readEnvironment(process.cwd()));
  } catch (error) {
    return refuse(
      error instanceof ConfigurationError ? error.message : `.env cannot be read: ${reasonOf(error)}`,
    );
  }
  const logger = AppLogger.create(configuration);
  let foundation: LaidFoundation;
  try {
    foundation = layFoundation(configuration, logger);
  } catch (error) {
    return refuse(reasonOf(error));
  }
  watchForDefects(logger);
  let dashboard: Dashboard | undefined;
  try {
    dashboard = await createDashboard(foundation);
    await dashboard.listen();
  } catch (error) {
    await dashboard?.app.close().catch(() => undefined);
    foundation.close();
    return refuse(explainListenError(error, configuration));
  }
  await untilStopped(dashboard, logger);
  foundation.close();
  return 0;
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

function explainListenError(error: unknown, { values }: Configuration): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return `Port ${values.port} is taken by another program. End it, or choose another port: APP_PORT=8090 npm start`;
  }
  if (code === 'EACCES') {
    return `Your user may not listen on port ${values.port}. Choose one above 1023: APP_PORT=8090 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The first signal stops in order, the second at once. */
async function untilStopped(dashboard: Dashboard, logger: AppLogger): Promise<void> {
  await new Promise<void>((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(130);
      stopping = true;
      logger.info('Slipway is stopping; once more stops it at once');
      setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
      dashboard.app
        .close()
        .catch((error: unknown) => logger.failure('the stop was not clean', error))
        .finally(resolve);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

/** A defect that nobody caught leaves the process in an unknown state: it ends, and the next start puts jobs right. */
function watchForDefects(logger: AppLogger): void {
  const end = (error: unknown): void => {
    logger.failure('unexpected error, Slipway ends', error);
    process.exit(70);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
