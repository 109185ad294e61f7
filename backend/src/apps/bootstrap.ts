import { config as observables } from 'rxjs';
import type { Configuration } from '../core/config/index.js';
import { AppLogger, registerSecret } from '../core/logging/index.js';
import { OwnerToken } from '../core/security/index.js';
import { Database, DataDirectory, InstanceLock, migrations, recordVersion } from '../core/storage/index.js';
import { Secrets } from '../core/secrets/index.js';
import type { ApplicationName, Foundation } from './core.module.js';
import { StoredLogs } from '../drivers/log-store/index.js';
import { makeEngines, type Engines } from './engines.js';

export interface BootstrappedFoundation extends Foundation {
  /** Closes the database and releases the data folder. */
  close: () => void;
}

export interface FoundationOptions {
  applications?: readonly ApplicationName[];
  logger?: AppLogger;
}

/**
 * Opens the data folder, its database and the secrets. The two applications can run in separate processes that share the
 * folder, but each only once. @throws Error with a message for the user.
 */
export async function bootstrap(
  configuration: Configuration,
  { applications = ['dashboard'], logger = AppLogger.create(configuration) }: FoundationOptions = {},
): Promise<BootstrappedFoundation> {
  const { password, viewerPassword, secretKey, encryptionKey, encryptionKeyPrevious } = configuration.values;
  const ownerToken = new OwnerToken();
  for (const secret of [
    password,
    viewerPassword,
    secretKey,
    encryptionKey,
    encryptionKeyPrevious,
    ownerToken.value,
  ]) {
    registerSecret(secret);
  }
  // A subscriber belongs to an engine, a cluster or a page. By default, its exception would end the process.
  observables.onUnhandledError = (error) => logger.failure('a listener failed', error);
  const dataDirectory = DataDirectory.open(configuration);
  const held: { release: () => void }[] = [];
  const close = (): void => held.forEach((resource) => resource.release());
  try {
    for (const application of applications) held.push(InstanceLock.acquire(dataDirectory.root, application));
    const database = Database.open(dataDirectory.database, migrations);
    held.unshift({ release: () => database.close() });
    if (database.notice) {
      logger.warning(
        `The database is damaged (${database.notice.reason}). Slipway moved it to ${database.notice.setAside} and created a new one`,
      );
    }
    const secrets = await Secrets.open(configuration, dataDirectory, database, {
      takesViewer: applications.includes('dashboard'),
    });
    await recordVersion(dataDirectory.root);
    const { replacesPassword, viewerChange } = secrets;
    const changes = [
      replacesPassword &&
        `The password changed at this start: ${password === '' ? 'Slipway created a new one' : 'APP_PASS sets another'}. It ended all sessions.`,
      viewerChange !== undefined &&
        `The read-only password changed at this start: ${viewerChange}. It ended its sessions.`,
    ].filter((message) => message !== false);
    if (changes.length > 0) {
      // Imported on demand, since most starts do not need it yet.
      const { JournalService, JournalStore } = await import('../modules/journal/index.js');
      const journal = new JournalService(new JournalStore(database));
      for (const message of changes) {
        journal.record({ kind: 'password-change', outcome: 'succeeded', message });
      }
    }
    let made: Engines | undefined;
    let making: Promise<Engines> | undefined;
    const engines = (): Promise<Engines> => {
      making ??= makeEngines(configuration, dataDirectory, logger).then((found) => (made = found));
      return making;
    };
    held.unshift({ release: () => made?.stop() });
    return {
      configuration,
      logger,
      dataDirectory,
      database,
      secrets,
      storedLogs: new StoredLogs(),
      ownerToken,
      problems: {},
      logs: {},
      applications,
      engines,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
