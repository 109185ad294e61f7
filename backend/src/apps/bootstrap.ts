import type { Configuration } from '../core/config/index.js';
import { AppLogger, registerSecret } from '../core/logging/index.js';
import { Database, DataDirectory, InstanceLock, migrations } from '../core/storage/index.js';
import { Secrets } from '../core/secrets/index.js';
import type { Foundation } from './core.module.js';
import { makeEngines } from './engines.js';

export interface BootstrappedFoundation extends Foundation {
  /** Lets go of the data folder. */
  close: () => void;
}

/** The two applications, by the name with which each can be started alone. */
export type ApplicationName = 'dashboard' | 'log-board';

export interface FoundationOptions {
  /** What will stand on it in this process. */
  applications?: readonly ApplicationName[];
  logger?: AppLogger;
}

/**
 * Opens the data folder, its database and the secrets. Each application is one process's
 * alone; two processes may share the folder. @throws Error in a plain sentence.
 */
export async function bootstrap(
  configuration: Configuration,
  { applications = ['dashboard'], logger = AppLogger.create(configuration) }: FoundationOptions = {},
): Promise<BootstrappedFoundation> {
  const { password, secretKey, encryptionKey, encryptionKeyPrevious } = configuration.values;
  for (const secret of [password, secretKey, encryptionKey, encryptionKeyPrevious]) registerSecret(secret);
  const dataDirectory = DataDirectory.open(configuration);
  const held: { release: () => void }[] = [];
  const letGo = (): void => held.forEach((thing) => thing.release());
  try {
    for (const application of applications) held.push(InstanceLock.acquire(dataDirectory.root, application));
    const database = Database.open(dataDirectory.database, migrations);
    held.unshift({ release: () => database.close() });
    if (database.notice) {
      logger.warning(
        `The database was damaged (${database.notice.reason}); it was put aside as ${database.notice.setAside}, and a new one was begun`,
      );
    }
    const secrets = await Secrets.open(configuration, dataDirectory, database);
    if (secrets.replacesPassword) {
      // Loaded only then: most starts need nothing of it yet.
      const { JournalService, JournalStore } = await import('../modules/journal/index.js');
      new JournalService(new JournalStore(database)).record({
        kind: 'password-change',
        outcome: 'succeeded',
        message: `The password changed at this start: ${password === '' ? 'Slipway created a new one' : 'APP_PASS sets another'}. It ended all sessions.`,
      });
    }
    const engines = onlyOnce(() => makeEngines(configuration, dataDirectory, logger));
    held.unshift({ release: () => engines.made?.stop() });
    return { configuration, logger, dataDirectory, database, secrets, engines: engines.get, close: letGo };
  } catch (error) {
    letGo();
    throw error;
  }
}

/** Makes something when it is first asked for. */
function onlyOnce<TMade>(make: () => Promise<TMade>): { get: () => Promise<TMade>; made: TMade | undefined } {
  let making: Promise<TMade> | undefined;
  const once = {
    made: undefined as TMade | undefined,
    get: (): Promise<TMade> => {
      making ??= make().then((made) => (once.made = made));
      return making;
    },
  };
  return once;
}
