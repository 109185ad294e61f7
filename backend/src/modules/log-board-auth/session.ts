/** How a session came to its end. */
export type SessionEnd = 'signed_out' | 'ended_by_user';

/** One sign-in: all its tokens share its id (`jti`) and its end, which only the password moves. */
export interface Session {
  /** 128 random bits in base64url; also the `jti` of its tokens. */
  id: string;
  username: string;
  address: string;
  user_agent: string;
  created_at: string;
  /** Whole seconds, as a token's `exp` is. */
  expires_at: string;
  last_seen_at: string;
}

/** The claims of an access token that is checked. */
export interface TokenClaims {
  sub: string;
  jti: string;
  iat: number;
  exp: number;
  aud: string;
}
