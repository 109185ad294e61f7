import type { Configuration } from '../core/config/index.js';
import { processUserName } from '../core/security/index.js';
import { Secrets } from '../core/secrets/index.js';
import { Database, DataDirectory, migrations } from '../core/storage/index.js';

/**
 * Replaces a lost password that Slipway created, and ends all sessions.
 * @returns the new password.
 * @throws Error with a message for the user if APP_PASS sets the password or the data folder is unusable.
 */
export async function newPassword(configuration: Configuration): Promise<string> {
  if (configuration.values.password !== '') {
    throw new Error('APP_PASS sets the password. Change it there, or unset it and try again.');
  }
  const dataDirectory = DataDirectory.open(configuration);
  const database = Database.open(dataDirectory.database, migrations);
  try {
    const { newPassword: made } = await Secrets.open(configuration, dataDirectory, database, {
      renewPassword: true,
    });
    if (made === undefined) throw new Error('Could not create a new password.');
    const { JournalService, JournalStore } = await import('../modules/journal/index.js');
    new JournalService(new JournalStore(database)).record({
      kind: 'password-change',
      outcome: 'succeeded',
      message: 'Created a new password on the command line. It ends all sessions.',
      actor: { kind: 'local', user: processUserName(), id: null, address: null },
    });
    return made;
  } finally {
    database.close();
  }
}
