import { ConfigurationError, readProject, type Configuration } from '../core/config/index.js';
import { reasonOf } from '../core/errors/index.js';
import { AppLogger, dropLostOutput } from '../core/logging/index.js';
import { publishedPorts } from '../drivers/runtime/index.js';
import { hostLiteral, isUnencrypted, schemeOf, UNENCRYPTED_FIX } from '../core/security/index.js';
import { removeServerFile, writeServerFile } from '../core/storage/index.js';
import type { Application } from './http/application.js';
import { bootstrap, type BootstrappedFoundation } from './bootstrap.js';
import type { ApplicationName } from './core.module.js';
import { showPassword } from './new-password.js';
import { addressOf } from './page-address.js';

/** Maximum time of a stop. The next start reconciles jobs that are not rolled back by then. */
const STOP_DEADLINE_MS = 25_000;
/** Interval of the check whether npm still runs. */
const PARENT_POLL_MS = 500;

/** Imported one after the other, so that the first application is available before the second one is loaded. */
const CREATE: Readonly<
  Record<ApplicationName, (foundation: BootstrappedFoundation) => Promise<Application>>
> = {
  dashboard: async (foundation) =>
    await (await import('./dashboard/create-dashboard.js')).createDashboard(foundation),
  'log-board': async (foundation) =>
    await (await import('./log-board/create-log-board.js')).createLogBoard(foundation),
};

/**
 * Runs Slipway until a signal stops it.
 * @param applications to run. The sign-in link is for the first.
 * @returns the exit status.
 */
export async function start(
  configuration: Configuration,
  applications: readonly ApplicationName[],
): Promise<number> {
  dropLostOutput();
  const logger = AppLogger.create(configuration);
  let foundation: BootstrappedFoundation;
  try {
    foundation = await bootstrap(configuration, { applications, logger });
  } catch (error) {
    return fail(reasonOf(error));
  }
  watchForDefects(logger);
  const stopRequested = firstSignal(configuration, logger);
  if (foundation.secrets.newPassword !== undefined) {
    if (canShowSecrets(configuration)) showPassword(configuration, foundation.secrets.newPassword);
    else logger.info('A password was created. To get another one that you can see, run: slipway password');
  }
  const running: Application[] = [];
  const end = (): void => {
    for (const name of applications) removeServerFile(foundation.dataDirectory.root, name);
    foundation.close();
  };
  const addresses: string[] = [];
  for (const name of applications) {
    const { port, logBoardPort } = configuration.values;
    try {
      const application = await CREATE[name](foundation);
      running.push(application);
      const bound = await application.listen();
      const address = addressOf(configuration, name, bound);
      await publish(foundation, name, bound, address, applications);
      addresses.push(address);
      logger.info(`${name === 'dashboard' ? 'Slipway is' : 'Its log board is'} at ${address}`);
    } catch (error) {
      await stop(running);
      end();
      const isDashboard = name === 'dashboard';
      const variable = isDashboard ? 'APP_PORT' : 'APP_LOG_BOARD_PORT';
      return fail(explainListenError(error, variable, isDashboard ? port : logBoardPort));
    }
  }
  if (isUnencrypted(configuration, publishedPorts((await foundation.engines()).runtimes))) {
    logger.warn(
      `Slipway listens on ${configuration.values.host} without encryption, so others can read passwords and sessions on the network. ${UNENCRYPTED_FIX}`,
    );
  }
  if (canShowSecrets(configuration)) await printSignInLink(running, addresses);
  else logger.info('To sign in, run: slipway open');
  if (applications.includes('dashboard')) {
    const { takeKeptToken } = await import('../modules/auth/index.js');
    await takeKeptToken(foundation.dataDirectory.root);
  }
  await stopRequested;
  await Promise.all(running.map(({ app }) => app.close())).catch((error: unknown) =>
    logger.failure('could not stop cleanly', error),
  );
  end();
  return 0;
}

/** Writes where an application is, and the owner token, for the command line. */
async function publish(
  { configuration, dataDirectory, ownerToken }: BootstrappedFoundation,
  name: ApplicationName,
  port: number,
  page: string,
  applications: readonly ApplicationName[],
): Promise<void> {
  const { host, tlsCert } = configuration.values;
  // Clients cannot connect to the wildcard addresses.
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  await writeServerFile(dataDirectory.root, name, {
    url: `${schemeOf(configuration)}://${hostLiteral(reachable)}:${port}`,
    page,
    token: ownerToken.value,
    pid: process.pid,
    version: readProject().version,
    applications,
    ...(tlsCert !== '' && { certificate: tlsCert }),
  });
}

/** The journal of systemd stores what a service prints, and others may read it. */
function canShowSecrets({ environment }: Configuration): boolean {
  return process.stdout.isTTY || environment['JOURNAL_STREAM'] === undefined;
}

/** Not logged, since the link signs in anyone. */
async function printSignInLink(
  [application]: readonly Application[],
  [address]: readonly string[],
): Promise<void> {
  // The applications have already loaded it; a static import would load it before an early failure.
  const { LINK_MINUTES, SignInLinks } = await import('../modules/auth/index.js');
  const token = application?.app.get(SignInLinks).issue();
  process.stdout.write(
    `\n  Sign in with this link, which works once within ${LINK_MINUTES} minutes:\n\n      ${address}/login#link=${token}\n\n`,
  );
}

async function stop(applications: readonly Application[]): Promise<void> {
  await Promise.all(applications.map(({ app }) => app.close().catch(() => undefined)));
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

function explainListenError(error: unknown, variable: string, port: number): string {
  if (error instanceof ConfigurationError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  const other = `${variable}=${port === 8080 ? 8090 : port + 10} slipway serve`;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use by another program. Stop it, or choose another port: ${other}`;
  }
  if (code === 'EACCES') {
    return `Your user has no permission to listen on port ${port}. Choose one above 1023: ${variable}=8090 slipway serve`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * The first signal stops gracefully, the second one immediately. Called before anything listens: a signal during the
 * start must not end the process without cleaning up.
 * @returns a promise of the first signal.
 */
function firstSignal(configuration: Configuration, logger: AppLogger): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const onSignal = (): void => {
      if (stopping) process.exit(130);
      stopping = true;
      logger.info('Slipway is stopping; a second signal stops it immediately');
      setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    // Node.js resets a signal that nohup has ignored, so bin/slipway passes that on.
    const isIgnored = configuration.environment['SLIPWAY_IGNORES_SIGHUP'] === '1';
    process.on('SIGHUP', () => {
      // When a terminal closes, the kernel and the shell send one each: the second must not stop immediately.
      if (!isIgnored && !stopping) onSignal();
    });
    if (configuration.environment['npm_lifecycle_event'] === 'start') {
      whenOrphaned(() => {
        if (!stopping) onSignal();
      });
    }
  });
}

/** npm ends on a signal without passing it on. Without this check, `npm start` would leave the server running. */
function whenOrphaned(end: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, PARENT_POLL_MS).unref();
}

/** An uncaught error leaves the process in an unknown state, so it exits; the next start reconciles jobs. */
function watchForDefects(logger: AppLogger): void {
  const end = (error: unknown): void => {
    logger.failure('unexpected error, Slipway exits', error);
    process.exit(70);
  };
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
}
