import { scryptSync } from 'node:crypto';

/** Of the one user of a log board under test. */
export const LOG_BOARD_PASSWORD = 'correct horse battery staple';

/**
 * `secrets.json` with that password, so that a start of an application under test does not create a hash, and a sign-in
 * is fast: the cost of a real hash takes 0.3 s of a core each time. A hash names its own cost.
 * @param made whether Slipway created the password, which holds where APP_PASS is not set.
 */
export function secretsWithPassword(made: boolean): string {
  return JSON.stringify({ password: { hash: fastHash(LOG_BOARD_PASSWORD), made } });
}

function fastHash(password: string): string {
  const [N, r, p] = [16, 8, 1];
  const salt = Buffer.from('test-password-01');
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}
