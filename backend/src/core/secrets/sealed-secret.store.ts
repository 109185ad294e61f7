import type { Database } from '../storage/index.js';
import { type SecretBox, UnsealError } from './secret-box.js';

/** An entry with an empty secret. If it opens, the key is the right one. */
const KEY_CHECK = 'key-check';

/** Neither the given key nor an earlier one opens the stored secrets. */
export class WrongKeyError extends Error {}

/** Secrets in the database, each encrypted under its name. */
export class SealedSecretStore {
  private constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /**
   * Checks the key and opens the store. If an earlier key opens the stored secrets, re-encrypts all of them with the
   * given one in a single transaction.
   * @param givesUp deletes the stored secrets if no key opens them.
   * @throws WrongKeyError, or UnsealError if a secret to be re-encrypted was modified.
   */
  static open(
    database: Database,
    box: SecretBox,
    { earlier, givesUp }: { earlier: readonly SecretBox[]; givesUp: boolean },
  ): SealedSecretStore {
    const store = new SealedSecretStore(database, box);
    database.transaction(() => {
      const check = store.sealed(KEY_CHECK);
      if (check !== undefined && opens(box, check)) return;
      const before = check === undefined ? undefined : earlier.find((one) => opens(one, check));
      if (before) store.reseal(before);
      else if (check === undefined || givesUp) store.begin();
      else throw new WrongKeyError();
    });
    return store;
  }

  /** @throws UnsealError if the stored secret was modified. */
  get(name: string): string | undefined {
    const sealed = this.sealed(name);
    return sealed === undefined ? undefined : this.box.open(sealed, name);
  }

  put(name: string, secret: string): void {
    this.database.run(
      'INSERT INTO sealed_secrets (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed',
      name,
      this.box.seal(secret, name),
    );
  }

  /** Does nothing if the secret does not exist. */
  remove(name: string): void {
    this.database.run('DELETE FROM sealed_secrets WHERE name = ?', name);
  }

  private sealed(name: string): string | undefined {
    return this.database.get<{ sealed: string }>('SELECT sealed FROM sealed_secrets WHERE name = ?', name)
      ?.sealed;
  }

  private begin(): void {
    this.database.run('DELETE FROM sealed_secrets');
    this.put(KEY_CHECK, '');
  }

  private reseal(before: SecretBox): void {
    for (const { name, sealed } of this.database.all<{ name: string; sealed: string }>(
      'SELECT name, sealed FROM sealed_secrets',
    )) {
      this.put(name, before.open(sealed, name));
    }
  }
}

function opens(box: SecretBox, check: string): boolean {
  try {
    box.open(check, KEY_CHECK);
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}
