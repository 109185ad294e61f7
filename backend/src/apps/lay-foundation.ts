import type { Configuration } from '../core/config/index.js';
import { AppLogger, registerSecret } from '../core/logging/index.js';
import { Database, DataDirectory, InstanceLock, migrations } from '../core/storage/index.js';
import type { Foundation } from './core.module.js';

export interface LaidFoundation extends Foundation {
  /** Lets go of the data folder. */
  close: () => void;
}

/** Opens the data folder and its database for this process alone. @throws Error in a plain sentence. */
export function layFoundation(
  configuration: Configuration,
  logger: AppLogger = AppLogger.create(configuration),
): LaidFoundation {
  const { password, secretKey, encryptionKey } = configuration.values;
  for (const secret of [password, secretKey, encryptionKey]) registerSecret(secret);
  const dataDirectory = DataDirectory.open(configuration);
  const lock = InstanceLock.acquire(dataDirectory.root);
  try {
    const database = Database.open(dataDirectory.database, migrations);
    if (database.notice) {
      logger.warning(
        `The database was damaged (${database.notice.reason}); it was put aside as ${database.notice.setAside}, and a new one was begun`,
      );
    }
    return {
      configuration,
      logger,
      dataDirectory,
      database,
      close: () => {
        database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
