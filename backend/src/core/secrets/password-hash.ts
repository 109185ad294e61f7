import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

/** 32 MiB and about 0.1 s; see https://cheatsheetseries.owasp.org, Password Storage. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
const FORM = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{22,})\$([A-Za-z0-9_-]{43})$/;

/** @returns `scrypt$N$r$p$salt$key` with salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await keyOf(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether a text has the format of `hashPassword`. */
export function isHash(text: string): boolean {
  return FORM.test(text);
}

/**
 * Whether a password matches a hash. Takes the same time for any password.
 * @throws Error if the hash does not have the format of `hashPassword`.
 */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt, key] = FORM.exec(hash) ?? [];
  if (salt === undefined || key === undefined) {
    throw new Error('the stored password hash is invalid');
  }
  const given = await keyOf(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(given, Buffer.from(key, 'base64url'));
}

async function keyOf(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  // Keyboards may encode the same password differently in Unicode (NIST SP 800-63B, 5.1.1.2).
  const text = Buffer.from(password.normalize('NFKC'));
  return await derive(text, salt, KEY_BYTES, { ...cost, maxmem: 256 * cost.N * cost.r });
}
