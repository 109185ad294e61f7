import type { Configuration } from '../core/config/index.js';
import { reasonOf } from '../core/errors/index.js';
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

/** Replaces the password and prints it. @returns the exit status. */
export async function renewPassword(configuration: Configuration): Promise<number> {
  try {
    showPassword(configuration, await newPassword(configuration));
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return 1;
  }
  process.stdout.write('  It takes effect at the next start, which ends all sessions.\n\n');
  return 0;
}

/** Not logged, since logs are stored and shared. */
export function showPassword({ values: { user } }: Configuration, password: string): void {
  process.stdout.write(
    `\n  Sign in as ${user} with the password\n\n      ${password}\n\n  It is shown only once. To choose your own, set APP_PASS.\n\n`,
  );
}
