import { scryptSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the one user of a log board under test. */
export const LOG_BOARD_PASSWORD = 'correct horse battery staple';

/**
 * Writes `secrets.json` into a new data folder, so that its first start does not create a hash, and a sign-in is fast:
 * the cost of a real hash takes 0.3 s of a core each time. A hash names its own cost.
 * @param password of the environment; without it, Slipway has created LOG_BOARD_PASSWORD.
 */
export async function preparePassword(dataDirectory: string, password = ''): Promise<void> {
  const file = join(dataDirectory, 'secrets.json');
  if (existsSync(file)) return;
  const hash = fastHash(password || LOG_BOARD_PASSWORD);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify({ password: { hash, made: password === '' } }), { mode: 0o600 });
}

function fastHash(password: string): string {
  const [N, r, p] = [16, 8, 1];
  const salt = Buffer.from('test-password-01');
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
