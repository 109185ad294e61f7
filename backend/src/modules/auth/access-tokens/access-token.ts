import type { Actor } from '../../../core/logging/index.js';
import type { AccessTokenDto } from './access-token.dto.js';

/** A credential for programs, without the token itself. Only its hash is stored. */
export type AccessToken = AccessTokenDto;

export type NewAccessToken = Pick<AccessToken, 'name' | 'scope' | 'created_by' | 'expires_at'>;

/** 256 random bits with a prefix that users and secret scanners recognize. */
export const ACCESS_TOKEN = /^slipway_[\w-]{43}$/;

export function actorOf({ id, name, created_by: user }: AccessToken, address: string): Actor {
  return { kind: 'token', user, id, name, address };
}
