import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';
/** NIST SP 800-38D: 96 random bits for each message under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** A sealed text cannot be opened: wrong key, wrong purpose, or modified bytes. */
export class UnsealError extends Error {}

/**
 * Encrypts secrets for storage with AES-256-GCM. A sealed text has its version and key id, and opens only for the purpose
 * for which it was sealed, so that a secret cannot be moved to another row.
 */
export class SecretBox {
  private readonly key: Buffer;
  /** Identifies the key without revealing it. */
  readonly keyId: string;

  /** @param keyHex at least 32 bytes in hex; longer keys are hashed to the length of the cipher's key. */
  constructor(keyHex: string) {
    const given = Buffer.from(keyHex, 'hex');
    this.key = given.length === 32 ? given : createHash('sha256').update(given).digest();
    this.keyId = createHash('sha256').update('slipway key id').update(this.key).digest('hex').slice(0, 8);
  }

  /** @param purpose type and owner of the secret, such as `webhook:12`. */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(`${VERSION}.${this.keyId}.${purpose}`));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${this.keyId}.${sealed.toString('base64url')}`;
  }

  /** @throws UnsealError */
  open(sealed: string, purpose: string): string {
    const [, keyId, body] = SEALED.exec(sealed) ?? [];
    if (keyId === undefined || body === undefined) {
      throw new UnsealError('it is not a sealed secret');
    }
    if (keyId !== this.keyId) throw new UnsealError('it was sealed with another ENCRYPTION_KEY');
    const bytes = Buffer.from(body, 'base64url');
    // base64url can encode the same bytes in several ways; only the canonical one counts as unmodified.
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== body) {
      throw new UnsealError('it was changed');
    }
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(`${VERSION}.${keyId}.${purpose}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      // Node only reports "unable to authenticate data".
      throw new UnsealError('it was changed');
    }
  }
}
