import type { Actor } from '../../core/logging/index.js';
import type { TokenScope } from '../../core/security/index.js';

export type SessionEndReason = 'signed_out' | 'ended_by_user';

/** One sign-in. All its tokens share its id (`jti`), and expire with it or before. */
export interface Session {
  /** 128 random bits in base64url; also the `jti` of its tokens. */
  id: string;
  username: string;
  address: string;
  user_agent: string;
  created_at: string;
  /** In whole seconds, like the `exp` claim. Renewals extend it, up to SESSION_MAX after the sign-in. */
  expires_at: string;
  last_seen_at: string;
  /** The access token that a display shows the log board with, whose scope it has; null for the session of a user. */
  token_id: string | null;
  /** `read`: of a display, or of the read-only password. */
  scope: TokenScope;
  /** When the password was entered, which starts a session; null if a link or an access token started it. */
  password_at: string | null;
}

/** The actor of a session. Those of the read-only password have a name, because other people use it. */
export function actorOfSession({ id, username: user, scope }: Session, address: string): Actor {
  return { kind: 'session', user, id, name: scope === 'read' ? 'read-only' : null, address };
}

export interface TokenClaims {
  sub: string;
  jti: string;
  iat: number;
  exp: number;
  aud: string;
}
