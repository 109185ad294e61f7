export type SessionEndReason = 'signed_out' | 'ended_by_user';

/** One sign-in. All its tokens share its id (`jti`) and its expiry; only a new sign-in extends it. */
export interface Session {
  /** 128 random bits in base64url; also the `jti` of its tokens. */
  id: string;
  username: string;
  address: string;
  user_agent: string;
  created_at: string;
  /** In whole seconds, like the `exp` claim. */
  expires_at: string;
  last_seen_at: string;
}

export interface TokenClaims {
  sub: string;
  jti: string;
  iat: number;
  exp: number;
  aud: string;
}
