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
  ) {}

  /**
   * Reads the secrets, and makes those that are neither given nor kept.
   * @param renewPassword makes a new one, also where one is kept.
   * @throws Error in a plain sentence that names the variable and no value.
   */
  static async open(
    { values }: Configuration,
    dataDirectory: DataDirectory,
    database: Database,
    { renewPassword = false } = {},
  ): Promise<Secrets> {
    let newPassword: string | undefined;
    let keptEncryptionKey: string | undefined;
    const kept = await new SecretsFile(dataDirectory.secrets).change(async (before) => {
      keptEncryptionKey = before.encryption_key;
      const after: KeptSecrets = { ...before };
      if (values.secretKey === '') after.secret_key ??= randomBytes(32).toString('hex');
      if (values.encryptionKey === '') after.encryption_key ??= randomBytes(32).toString('hex');
      if (values.password !== '') after.password = await keepGiven(values.password, before.password);
      else if (renewPassword || before.password?.made !== true) {
        newPassword = makePassword();
        after.password = { hash: await hashPassword(newPassword), made: true };
      }
      return after;
    });
    const secretKey = values.secretKey || (kept.secret_key ?? '');
    const encryptionKey = values.encryptionKey || (kept.encryption_key ?? '');
    const passwordHash = kept.password?.hash ?? '';
    for (const secret of [secretKey, encryptionKey, newPassword ?? '']) registerSecret(secret);
    const earlier = [values.encryptionKeyPrevious, keptEncryptionKey ?? '']
      .filter((key) => key !== '' && key !== LOST_KEY)
      .map((key) => new SecretBox(key));
    return new Secrets(
      Buffer.from(secretKey, 'hex'),
      passwordHash,
      createHash('sha256').update([values.user, passwordHash, secretKey].join('\0')).digest('base64url'),
      openStore(database, new SecretBox(encryptionKey), {
        earlier,
        givesUp: values.encryptionKeyPrevious === LOST_KEY,
      }),
      newPassword,
    );
  }
}

/** The same hash as before for the same password: its sessions go on. */
async function keepGiven(password: string, before: KeptPassword | undefined): Promise<KeptPassword> {
  if (before?.made === false && (await isPassword(password, before.hash))) return before;
  return { hash: await hashPassword(password), made: false };
}

function openStore(
  database: Database,
  box: SecretBox,
  keys: Parameters<typeof SealedSecretStore.open>[2],
): SealedSecretStore {
  try {
    return SealedSecretStore.open(database, box, keys);
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
