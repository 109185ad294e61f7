import { setFlagsFromString } from 'node:v8';
import 'reflect-metadata';
import {
  type Configuration,
  ConfigurationError,
  readConfiguration,
  readEnvironment,
} from '../core/config/index.js';
import { reasonOf } from '../core/errors/index.js';
import { AppLogger } from '../core/logging/index.js';
import { hostLiteral, isUnencrypted, schemeOf, UNENCRYPTED_FIX } from '../core/security/index.js';
import type { Application } from './http/application.js';
import { bootstrap, type ApplicationName, type BootstrappedFoundation } from './bootstrap.js';
import { newPassword } from './new-password.js';

/** Longest that a stop may take; what is not rolled back by then is put right at the next start. */
const STOP_DEADLINE_MS = 25_000;

const APPLICATIONS: readonly ApplicationName[] = ['dashboard', 'log-board'];
const NEW_PASSWORD = 'new-password';

/** Each is loaded when it is its turn: the first one answers before the second one is read. */
const CREATE: Readonly<
  Record<ApplicationName, (foundation: BootstrappedFoundation) => Promise<Application>>
> = {
  dashboard: async (foundation) =>
    await (await import('./dashboard/create-dashboard.js')).createDashboard(foundation),
  'log-board': async (foundation) =>
    await (await import('./log-board/create-log-board.js')).createLogBoard(foundation),
};

/**
 * Runs the product until it is told to stop.
 * @param chosen names of the applications to run, both where there is none; or `new-password`, which runs neither.
 * @returns the exit status.
 */
export async function start(chosen: readonly string[]): Promise<number> {
  const renewsPassword = chosen.length === 1 && chosen[0] === NEW_PASSWORD;
  const applications = APPLICATIONS.filter((name) => chosen.length === 0 || chosen.includes(name));
  if (!renewsPassword && applications.length < Math.max(1, chosen.length)) {
    return refuse(`Name ${APPLICATIONS.join(' or ')}, or neither to run both; or ${NEW_PASSWORD} alone.`);
  }
  let configuration: Configuration;
  try {
    configuration = readConfiguration(readEnvironment(process.cwd()));
  } catch (error) {
    return refuse(
      error instanceof ConfigurationError ? error.message : `.env cannot be read: ${reasonOf(error)}`,
    );
  }
  return await (renewsPassword ? renewPassword(configuration) : run(configuration, applications));
}

async function renewPassword(configuration: Configuration): Promise<number> {
  try {
    showPassword(configuration, await newPassword(configuration));
  } catch (error) {
    return refuse(reasonOf(error));
  }
  process.stdout.write('  It counts from the next start on. Every session ends with that start.\n\n');
  return 0;
}

async function run(configuration: Configuration, applications: readonly ApplicationName[]): Promise<number> {
  const logger = AppLogger.create(configuration);
  let foundation: BootstrappedFoundation;
  try {
    foundation = await bootstrap(configuration, { applications, logger });
  } catch (error) {
    return refuse(reasonOf(error));
  }
  watchForDefects(logger);
  if (foundation.secrets.newPassword !== undefined) {
    showPassword(configuration, foundation.secrets.newPassword);
  }
  if (isUnencrypted(configuration)) {
    logger.warn(
      `Slipway listens on ${configuration.values.host} without encryption: passwords and sessions can be read on the network. ${UNENCRYPTED_FIX}`,
    );
  }
  const running: Application[] = [];
  const addresses: string[] = [];
  for (const name of applications) {
    const { port, logBoardPort } = configuration.values;
    try {
      const application = await CREATE[name](foundation);
      running.push(application);
      const bound = await application.listen();
      const address = addressOf(configuration, name, bound);
      addresses.push(address);
      logger.info(`${name === 'dashboard' ? 'Slipway is' : 'Its log board is'} at ${address}`);
    } catch (error) {
      await stop(running);
      foundation.close();
      return refuse(
        name === 'dashboard'
          ? explainListenError(error, 'APP_PORT', port)
          : explainListenError(error, 'APP_LOG_BOARD_PORT', logBoardPort),
      );
    }
  }
  await printSignInLink(running, addresses);
  mindSize();
  await untilStopped(running, logger);
  foundation.close();
  return 0;
}

/**
 * Has V8 collect before it grows. Of what a server for months takes in nothing lives long, so its heap need not grow
 * with every flood of lines: some 20 MB less. Not before it has started, which would take a tenth longer.
 */
function mindSize(): void {
  setFlagsFromString('--optimize-for-size');
}

/** Where a person opens it: its outside address, or by name where this machine's own names lead to it. */
function addressOf(configuration: Configuration, name: ApplicationName, port: number): string {
  const { host, publicUrl, logBoardPublicUrl } = configuration.values;
  const outside = name === 'dashboard' ? publicUrl : logBoardPublicUrl;
  if (outside !== '') return outside;
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  return `${schemeOf(configuration)}://${isLocal ? 'localhost' : hostLiteral(host)}:${port}`;
}

/** Past the log, which is kept and may be handed on: this is the one time that it can be read. */
function showPassword({ values: { user } }: Configuration, password: string): void {
  process.stdout.write(
    `\n  Sign in as ${user} with the password\n\n      ${password}\n\n  It is shown this once. APP_PASS sets one of your own.\n\n`,
  );
}

/** Past the log too: the link signs in anyone who has it. */
async function printSignInLink(
  [application]: readonly Application[],
  [address]: readonly string[],
): Promise<void> {
  // Loaded by now, and by no start that fails before.
  const { LINK_MINUTES, SignInLinks } = await import('../modules/auth/index.js');
  const token = application?.app.get(SignInLinks).issue();
  process.stdout.write(
    `\n  Sign in with this link, once and within ${LINK_MINUTES} minutes:\n\n      ${address}/login#link=${token}\n\n`,
  );
}

async function stop(applications: readonly Application[]): Promise<void> {
  await Promise.all(applications.map(({ app }) => app.close().catch(() => undefined)));
}

function refuse(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

function explainListenError(error: unknown, variable: string, port: number): string {
  if (error instanceof ConfigurationError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  const other = `${variable}=${port === 8080 ? 8090 : port + 10} npm start`;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. End it, or choose another port: ${other}`;
  }
  if (code === 'EACCES') {
    return `Your user may not listen on port ${port}. Choose one above 1023: ${variable}=8090 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The first signal stops in order, the second at once. */
async function untilStopped(applications: readonly Application[], logger: AppLogger): Promise<void> {
  await new Promise<void>((resolve) => {
    let stopping = false;
    const onSignal = (): void => {
      if (stopping) process.exit(130);
      stopping = true;
      logger.info('Slipway is stopping; once more stops it at once');
      setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
      Promise.all(applications.map(({ app }) => app.close()))
        .catch((error: unknown) => logger.failure('the stop was not clean', error))
        .finally(resolve);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
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
