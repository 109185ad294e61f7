import { dirname, join } from 'node:path';
import { LOST_KEY } from '../config/index.js';
import {
  LockedError,
  newerFormat,
  readWholeFile,
  withDatabaseLock,
  writeFileAtomically,
} from '../storage/index.js';
import { jsonValue } from '../parsing/index.js';
import { isRecord, recordOf } from '../values/index.js';
import { isHash } from './password-hash.js';

const MAX_BYTES = 16_384;
/** A start holds the lock for less than a second. */
const LOCK_PATIENCE_MS = 10_000;

/** Raised when an earlier version can no longer read the file. Versions before 0.3 did not write it, and keep it. */
const FORMAT = 1;

/** Secrets that Slipway created for this installation because the environment does not set them. */
export interface KeptSecrets {
  format?: number;
  secret_key?: string;
  encryption_key?: string;
  password?: KeptPassword;
  /** Another value invalidates all sessions, access tokens and known browsers. */
  access_epoch?: string;
}

export interface KeptPassword {
  /** In the format of `hashPassword`. */
  hash: string;
  /** Whether Slipway created the password; otherwise it comes from APP_PASS. */
  made: boolean;
}

/** `secrets.json` in the data folder, mode 0600. */
export class SecretsFile {
  private readonly lock: string;

  constructor(private readonly path: string) {
    this.lock = join(dirname(path), 'secrets.lock');
  }

  /** Changes the file under a lock. @throws Error with a message for the user. */
  async change(edit: (kept: KeptSecrets) => Promise<KeptSecrets>): Promise<KeptSecrets> {
    return await withDatabaseLock(this.lock, LOCK_PATIENCE_MS, async () => {
      const before = await this.read();
      const after = { format: FORMAT, ...(await edit(before)) };
      if (JSON.stringify(after) !== JSON.stringify(before)) {
        await writeFileAtomically(this.path, `${JSON.stringify(after, null, 2)}\n`);
      }
      return after;
    }).catch((error: unknown) => {
      if (!(error instanceof LockedError)) throw error;
      throw new Error(
        `Could not write ${this.path}. Another start of Slipway has held its lock for ${LOCK_PATIENCE_MS / 1000} s. Try again once that start is complete.`,
        { cause: error },
      );
    });
  }

  private async read(): Promise<KeptSecrets> {
    const text = await readWholeFile(this.path, MAX_BYTES);
    if (text === undefined) return {};
    const { format } = recordOf(jsonValue(text));
    if (typeof format === 'number' && format > FORMAT) {
      throw newerFormat(this.path, `format ${format}`, `format ${FORMAT}`);
    }
    const kept = parse(text);
    if (kept) return kept;
    // Never recreated automatically: everything that the lost key encrypted would be lost with it.
    throw new Error(
      `${this.path} is damaged. It contains the keys of this installation. Restore it from a backup, or delete it and start with ENCRYPTION_KEY_PREVIOUS=${LOST_KEY}: Slipway then creates new keys and a new password, discards stored secrets, and everyone must sign in again.`,
    );
  }
}

function parse(text: string): KeptSecrets | undefined {
  const kept = jsonValue(text);
  if (!isRecord(kept)) return undefined;
  const { secret_key, encryption_key, access_epoch, password } = kept;
  const keys = [secret_key, encryption_key, access_epoch].every(
    (key) => key === undefined || (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)),
  );
  return keys && (password === undefined || isKept(password)) ? kept : undefined;
}

function isKept(password: unknown): boolean {
  const { hash, made } = recordOf(password);
  return typeof hash === 'string' && isHash(hash) && typeof made === 'boolean';
}
