import type { Actor } from '../../../core/logging/index.js';
import type { TokenScope } from '../../../core/security/index.js';

/** A credential for programs, without the token itself. Only its hash is stored. */
export interface AccessToken {
  /** Not secret: identifies the token in URLs and in the journal. */
  id: string;
  name: string;
  scope: TokenScope;
  /** The user on whose behalf it acts. */
  created_by: string;
  created_at: string;
  expires_at: string;
  /** Updated once a minute. */
  last_used_at: string | null;
}

export type NewAccessToken = Pick<AccessToken, 'name' | 'scope' | 'created_by' | 'expires_at'>;

/** 256 random bits with a prefix that users and secret scanners recognize. */
export const ACCESS_TOKEN = /^slipway_[\w-]{43}$/;

export function actorOf({ id, name, created_by: user }: AccessToken, address: string): Actor {
  return { kind: 'token', user, id, name, address };
}
