import { createHash, randomBytes } from 'node:crypto';
import { LOST_KEY, type Configuration } from '../config/index.js';
import { registerSecret } from '../logging/index.js';
import type { Database, DataDirectory } from '../storage/index.js';
import { hashPassword, isPassword } from './password-hash.js';
import { SealedSecretStore, WrongKeyError } from './sealed-secret.store.js';
import { SecretBox, UnsealError } from './secret-box.js';
import { SecretsFile, type KeptPassword, type KeptSecrets } from './secrets-file.js';

/** Without what is easily taken for another: no 0 and O, no 1, l and I. */
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 24;

/**
 * Stored secrets for who needs no sign-in: opened, and their key made, by the first that asks. A dashboard that nobody
 * signs in to keeps none until then.
 */
export class SealedSecrets {
  private opened: Promise<SealedSecretStore> | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly database: Database,
    secrets: Secrets | undefined,
  ) {
    if (secrets) this.opened = Promise.resolve(secrets.sealed);
  }

  /** @throws Error in a plain sentence where the key is not the one of what is stored. */
  open(): Promise<SealedSecretStore> {
    this.opened ??= this.openNow().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private async openNow(): Promise<SealedSecretStore> {
    const { values } = this.configuration;
    let keptBefore: string | undefined;
    const kept = await new SecretsFile(this.dataDirectory.secrets).change((before) => {
      keptBefore = before.encryption_key;
      return Promise.resolve(withEncryptionKey(before, values.encryptionKey));
    });
    return openStore(this.database, this.configuration, kept, keptBefore);
  }
}

/** What the sign-in of this installation rests on. */
export class Secrets {
  private constructor(
    /** Signs access tokens. */
    readonly signingKey: Buffer,
    readonly passwordHash: string,
    /** Changes with user, password and signing key: a session of another value is no session any more. */
    readonly generation: string,
    readonly sealed: SealedSecretStore,
    /** The password, where this start made it: to be shown once, and never again. */
    readonly newPassword: string | undefined,
    /** Whether another password was in force until now. */
    readonly replacesPassword: boolean,
  ) {}

  /**
   * Reads the secrets, and makes those that are neither given nor kept.
   * @param renewPassword makes a new one, also where one is kept.
   * @throws Error in a plain sentence that names the variable and no value.
   */
  static async open(
    configuration: Configuration,
    dataDirectory: DataDirectory,
    database: Database,
    { renewPassword = false } = {},
  ): Promise<Secrets> {
    const { values } = configuration;
    let newPassword: string | undefined;
    let keptEncryptionKey: string | undefined;
    let keptPassword: string | undefined;
    const kept = await new SecretsFile(dataDirectory.secrets).change(async (before) => {
      keptPassword = before.password?.hash;
      keptEncryptionKey = before.encryption_key;
      const after = withEncryptionKey(before, values.encryptionKey);
      if (values.secretKey === '') after.secret_key ??= randomBytes(32).toString('hex');
      if (values.password !== '') after.password = await keepGiven(values.password, before.password);
      else if (renewPassword || before.password?.made !== true) {
        newPassword = makePassword();
        after.password = { hash: await hashPassword(newPassword), made: true };
      }
      return after;
    });
    const secretKey = values.secretKey || (kept.secret_key ?? '');
    const passwordHash = kept.password?.hash ?? '';
    for (const secret of [secretKey, values.password, newPassword ?? '']) registerSecret(secret);
    return new Secrets(
      Buffer.from(secretKey, 'hex'),
      passwordHash,
      createHash('sha256').update([values.user, passwordHash, secretKey].join('\0')).digest('base64url'),
      openStore(database, configuration, kept, keptEncryptionKey),
      newPassword,
      keptPassword !== undefined && keptPassword !== passwordHash,
    );
  }
}

/** The same hash as before for the same password: its sessions go on. */
async function keepGiven(password: string, before: KeptPassword | undefined): Promise<KeptPassword> {
  if (before?.made === false && (await isPassword(password, before.hash))) return before;
  return { hash: await hashPassword(password), made: false };
}

function withEncryptionKey(before: KeptSecrets, given: string): KeptSecrets {
  const after: KeptSecrets = { ...before };
  if (given === '') after.encryption_key ??= randomBytes(32).toString('hex');
  return after;
}

/** @param keptBefore the key that was kept until now, which may be another than the one that is given. */
function openStore(
  database: Database,
  { values }: Configuration,
  kept: KeptSecrets,
  keptBefore: string | undefined,
): SealedSecretStore {
  const key = values.encryptionKey || (kept.encryption_key ?? '');
  registerSecret(key);
  const earlier = [values.encryptionKeyPrevious, keptBefore ?? '']
    .filter((other) => other !== '' && other !== LOST_KEY)
    .map((other) => new SecretBox(other));
  const givesUp = values.encryptionKeyPrevious === LOST_KEY;
  try {
    return SealedSecretStore.open(database, new SecretBox(key), { earlier, givesUp });
  } catch (cause) {
    if (cause instanceof WrongKeyError) {
      throw new Error(
        `ENCRYPTION_KEY is not the key that the stored secrets were encrypted with. Start with that one; to change it, give the new one as ENCRYPTION_KEY and the one before as ENCRYPTION_KEY_PREVIOUS. Where nobody has it any more, ENCRYPTION_KEY_PREVIOUS=${LOST_KEY} gives the stored secrets up.`,
        { cause },
      );
    }
    if (!(cause instanceof UnsealError)) throw cause;
    throw new Error(
      'A stored secret was changed outside Slipway, so none was encrypted anew. Put the data folder back from a backup, or start with the ENCRYPTION_KEY of before.',
      { cause },
    );
  }
}

function makePassword(): string {
  let password = '';
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of randomBytes(PASSWORD_LENGTH)) {
      // 224 is the largest multiple of the 56 letters in a byte: each is as likely as the others.
      if (byte < 224) password += PASSWORD_LETTERS[byte % PASSWORD_LETTERS.length] ?? '';
    }
  }
  return (password.slice(0, PASSWORD_LENGTH).match(/.{6}/g) ?? []).join('-');
}
