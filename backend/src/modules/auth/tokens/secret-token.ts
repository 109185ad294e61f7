import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '../../../core/errors/index.js';

/**
 * The same error for every cause: details would help an attacker.
 * @param wait seconds until the next attempt is allowed.
 */
export function unauthorized(wait = 0): DomainError {
  return new DomainError(
    'unauthorized',
    'Unauthorized',
    wait > 0 ? { retry_after_seconds: wait } : undefined,
  );
}

/** A client that may be exempt soon. Pages recognize the code, and try again. */
export function lookingForEngines(): DomainError {
  return new DomainError(
    'looking_for_engines',
    'Slipway is looking for engines, and does not know yet whether you need a password. Try again in a second.',
    { retry_after_seconds: 1 },
  );
}

/** A client without a password requests a credential. Pages recognize the code, and prompt for the password. */
export function passwordRequired(): DomainError {
  return new DomainError(
    'password_required',
    'You are not signed in with the password. Access tokens and sign-in links would stay valid when a password is needed. Sign in with the password, or run `slipway token create` or `slipway open`.',
  );
}

/** Pages recognize the code, prompt for the password, and repeat the request. */
export function reauthenticationRequired(): DomainError {
  return new DomainError(
    'reauthentication_required',
    'You entered the password more than 15 minutes ago, or signed in with a link. Nothing was done. Sign in again with the password, then repeat the request.',
  );
}

export function randomToken(): string {
  return randomBytes(24).toString('base64url');
}

/** 192 random bits cannot be guessed, so a fast hash is enough. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
