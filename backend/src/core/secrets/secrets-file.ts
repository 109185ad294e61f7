import { dirname, join } from 'node:path';
import { LOST_KEY } from '../config/index.js';
import { LockedError, readWholeFile, withDatabaseLock, writeFileAtomically } from '../storage/index.js';
import { isHash } from './password-hash.js';

const MAX_BYTES = 16_384;
/** Another start writes this file within a second. */
const LOCK_PATIENCE_MS = 10_000;

/** What was made for this installation, because the environment does not give it. */
export interface KeptSecrets {
  secret_key?: string;
  encryption_key?: string;
  password?: KeptPassword;
}

export interface KeptPassword {
  /** As `hashPassword` gives it. */
  hash: string;
  /** Whether it was made here, or is that of APP_PASS. */
  made: boolean;
}

/** `secrets.json` in the data folder, for its owner alone (0600). */
export class SecretsFile {
  private readonly lock: string;

  constructor(private readonly path: string) {
    this.lock = join(dirname(path), 'secrets.lock');
  }

  /** Changes what is kept, while no other process does. @throws Error in a plain sentence. */
  async change(edit: (kept: KeptSecrets) => Promise<KeptSecrets>): Promise<KeptSecrets> {
    return await withDatabaseLock(this.lock, LOCK_PATIENCE_MS, async () => {
      const before = await this.read();
      const after = await edit(before);
      if (JSON.stringify(after) !== JSON.stringify(before)) {
        await writeFileAtomically(this.path, `${JSON.stringify(after, null, 2)}\n`);
      }
      return after;
    }).catch((error: unknown) => {
      if (!(error instanceof LockedError)) throw error;
      throw new Error(
        `Another start of Slipway has been writing ${this.path} for ${LOCK_PATIENCE_MS / 1000} s. Start again once it is done.`,
        { cause: error },
      );
    });
  }

  private async read(): Promise<KeptSecrets> {
    const text = await readWholeFile(this.path, MAX_BYTES);
    if (text === undefined) return {};
    const kept = parse(text);
    if (kept) return kept;
    // Never made anew by itself: everything that the lost key encrypted would be lost with it.
    throw new Error(
      `${this.path} is damaged, and it holds the keys of this installation. Put it back from a backup, or remove it: then new keys and a new password are made, everybody signs in again, and stored secrets must be given again, once a start with ENCRYPTION_KEY_PREVIOUS=${LOST_KEY} gave the old ones up.`,
    );
  }
}

function parse(text: string): KeptSecrets | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return undefined;
    const { secret_key, encryption_key, password } = kept as Record<string, unknown>;
    const keys = [secret_key, encryption_key].every(
      (key) => key === undefined || (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)),
    );
    return keys && (password === undefined || isKept(password)) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function isKept(password: unknown): boolean {
  const { hash, made } = password as Record<string, unknown>;
  return typeof hash === 'string' && isHash(hash) && typeof made === 'boolean';
}
