// Classes of age: cspell:ignore Encrypter Decrypter
import { Readable } from 'node:stream';
import { BackupError } from './backup-error.js';

/** The first line of the age format (https://age-encryption.org/v1). */
const HEADER = 'age-encryption.org/v1\n';
export const HEADER_BYTES = HEADER.length;

export function isEncrypted(head: Buffer): boolean {
  return head.toString('latin1').startsWith(HEADER);
}

/** Encrypts a stream in the age format with a passphrase: `age -d` decrypts it. */
export async function encrypt(source: Readable, passphrase: string): Promise<Readable> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  return await convert(source, (stream) => encrypter.encrypt(stream));
}

/** @throws BackupError if the passphrase is wrong. */
export async function decrypt(source: Readable, passphrase: string): Promise<Readable> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await convert(source, (stream) => decrypter.decrypt(stream));
  } catch (error) {
    source.destroy();
    throw new BackupError('the passphrase is wrong, or the file is damaged', { cause: error });
  }
}

async function convert(
  source: Readable,
  change: (stream: globalThis.ReadableStream<Uint8Array>) => Promise<globalThis.ReadableStream<Uint8Array>>,
): Promise<Readable> {
  const stream = Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb(await change(stream));
}
