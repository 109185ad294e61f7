import type { Actor } from '../../../core/logging/index.js';
import type { TokenScope } from '../../../core/security/index.js';

/** A credential for programs, as it is listed: everything except the token itself, of which only a hash is kept. */
export interface AccessToken {
  /** Public; names the token in addresses and in the journal. */
  id: string;
  name: string;
  scope: TokenScope;
  /** The user who created it, for whom it acts. */
  created_by: string;
  created_at: string;
  expires_at: string;
  /** To the minute. */
  last_used_at: string | null;
}

export interface NewAccessToken {
  name: string;
  scope: TokenScope;
  created_by: string;
  expires_at: string;
}

/** 256 random bits behind a prefix by which people, and scanners for secrets, recognize it. */
export const ACCESS_TOKEN = /^slipway_[\w-]{43}$/;

/** Who acts where an access token was shown. */
export function actorOf({ id, name, created_by: user }: AccessToken, address: string): Actor {
  return { kind: 'token', user, id, name, address };
}
