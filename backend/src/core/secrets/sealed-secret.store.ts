import type { Database } from '../storage/index.js';
import { type SecretBox, UnsealError } from './secret-box.js';

/** Holds nothing; that it opens shows that the key is the one of the others. */
const KEY_CHECK = 'key-check';

/** The key of the stored secrets is neither the given one nor one that is known from before. */
export class WrongKeyError extends Error {}

/** Secrets at rest, each sealed under its own name. */
export class SealedSecretStore {
  private constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  /**
   * Opens the store, once it is sure that the key is right. Where an earlier key still opens what is stored,
   * everything is sealed anew under the given one, in one transaction: all of it, or the start fails.
   * @param givesUp what no key at hand opens, and begins with nothing.
   * @throws WrongKeyError, or UnsealError where what is to be sealed anew was changed.
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

  /** @throws UnsealError when what is stored was changed. */
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

  /** What is not there is removed already. */
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
