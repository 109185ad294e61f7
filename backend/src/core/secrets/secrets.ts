import { createHash, randomBytes } from 'node:crypto';
import { LOST_KEY, type Configuration } from '../config/index.js';
import { registerSecret } from '../logging/index.js';
import type { Database, DataDirectory } from '../storage/index.js';
import { hashPassword, isPassword } from './password-hash.js';
import { SealedSecretStore, WrongKeyError } from './sealed-secret.store.js';
import { SecretBox, UnsealError } from './secret-box.js';
import { ViewerPassword } from './viewer-password.js';
import { SecretsFile, type KeptPassword, type KeptSecrets } from './secrets-file.js';

/** Without characters that are easily confused: 0 and O, 1, l and I. */
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const PASSWORD_LENGTH = 24;

export class Secrets {
  private constructor(
    /** Signs access tokens. */
    readonly signingKey: Buffer,
    readonly passwordHash: string,
    /** Changes with user, password, signing key and a restore. Sessions of another generation are invalid. */
    readonly generation: string,
    readonly sealed: SealedSecretStore,
    /** The password, if this start created it. It is shown only once. */
    readonly newPassword: string | undefined,
    /** Whether this start replaced an earlier password. */
    readonly replacesPassword: boolean,
    readonly viewer: ViewerPassword,
    /** How this start changed the read-only password, for the journal; undefined if it did not. */
    readonly viewerChange: string | undefined,
  ) {}

  /**
   * Reads the secrets, and creates those that neither the environment nor the data folder has.
   * @param renewPassword replaces a stored password.
   * @param takesViewer whether APP_VIEWER_PASS counts: other processes may run without it.
   * @throws Error with a message for the user that contains no secret.
   */
  static async open(
    configuration: Configuration,
    dataDirectory: DataDirectory,
    database: Database,
    { renewPassword = false, takesViewer = false } = {},
  ): Promise<Secrets> {
    const { values } = configuration;
    let newPassword: string | undefined;
    let keptEncryptionKey: string | undefined;
    let keptPassword: string | undefined;
    const kept = await new SecretsFile(dataDirectory.secrets).change(async (before) => {
      keptPassword = before.password?.hash;
      keptEncryptionKey = before.encryption_key;
      const after: KeptSecrets = { ...before };
      if (values.encryptionKey === '') after.encryption_key ??= randomBytes(32).toString('hex');
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
    for (const secret of [secretKey, values.password, values.viewerPassword, newPassword ?? '']) {
      registerSecret(secret);
    }
    const access = [values.user, passwordHash, secretKey];
    if (kept.access_epoch !== undefined) access.push(kept.access_epoch);
    const sealed = openStore(database, configuration, kept, keptEncryptionKey);
    const viewer = new ViewerPassword(sealed);
    const viewerChange = takesViewer
      ? await takeGiven(viewer, values.viewerPassword, passwordHash)
      : undefined;
    if (
      values.password !== '' &&
      viewer.hash !== undefined &&
      (await isPassword(values.password, viewer.hash))
    ) {
      throw new Error('APP_PASS must differ from the read-only password. Choose another one.');
    }
    return new Secrets(
      Buffer.from(secretKey, 'hex'),
      passwordHash,
      createHash('sha256').update(access.join('\0')).digest('base64url'),
      sealed,
      newPassword,
      keptPassword !== undefined && keptPassword !== passwordHash,
      viewer,
      viewerChange,
    );
  }
}

/** Keeps the hash if the password is unchanged, so that its sessions stay valid. */
async function keepGiven(password: string, before: KeptPassword | undefined): Promise<KeptPassword> {
  if (before?.made === false && (await isPassword(password, before.hash))) return before;
  return { hash: await hashPassword(password), made: false };
}

/** @throws Error if it is also the password of the user: a viewer could do everything. */
async function takeGiven(
  viewer: ViewerPassword,
  password: string,
  passwordHash: string,
): Promise<string | undefined> {
  if (password !== '' && (await isPassword(password, passwordHash))) {
    throw new Error('APP_VIEWER_PASS must differ from the password of the user. Choose another one.');
  }
  return await viewer.takeGiven(password);
}

/** @param keptBefore the key stored until now, which may differ from the given one. */
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
        `ENCRYPTION_KEY does not open the stored secrets. Start with the key that encrypted them. To change the key, set the new one as ENCRYPTION_KEY and the previous one as ENCRYPTION_KEY_PREVIOUS. If the previous key is lost, ENCRYPTION_KEY_PREVIOUS=${LOST_KEY} discards the stored secrets.`,
        { cause },
      );
    }
    if (!(cause instanceof UnsealError)) throw cause;
    throw new Error(
      'Could not re-encrypt the stored secrets: one was modified outside Slipway. Restore the data folder from a backup, or start with the previous ENCRYPTION_KEY.',
      { cause },
    );
  }
}

function makePassword(): string {
  let password = '';
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of randomBytes(PASSWORD_LENGTH)) {
      // 224 is the largest multiple of the 56 letters in a byte, so all letters are equally likely.
      if (byte < 224) password += PASSWORD_LETTERS[byte % PASSWORD_LETTERS.length] ?? '';
    }
  }
  return (password.slice(0, PASSWORD_LENGTH).match(/.{6}/g) ?? []).join('-');
}
