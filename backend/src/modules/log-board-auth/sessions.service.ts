import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { Secrets } from '../../core/secrets/index.js';
import type { Session, SessionEnd, TokenClaims } from './session.js';
import { SessionStore } from './session.store.js';
import { AUDIENCE } from './token-options.js';

/** How far the clock of whoever made a token may be ahead. The same machine makes and reads them. */
const CLOCK_SKEW_SECONDS = 2;
/** `last_seen_at` is for a person's eyes. */
const SEEN_EVERY_MS = 60_000;
const LONGEST_USER_AGENT = 300;

/** A new session, with what the browser keeps of it. */
export interface BegunSession {
  session: Session;
  /** Secret of the browser's cookie, of which only a hash is kept. */
  cookie: string;
}

/** Begins, finds and ends sessions, and gives out their tokens. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly secrets: Secrets,
    private readonly tokens: JwtService,
    private readonly configuration: Configuration,
  ) {}

  /** Called once the password was right. */
  begin({ address, userAgent }: { address: string; userAgent: string }): BegunSession {
    const { user: username, sessionTimeout } = this.configuration.values;
    const createdAt = Math.floor(Date.now() / 1000) * 1000;
    const cookie = randomText();
    const session: Session = {
      id: randomText(),
      username,
      address,
      user_agent: userAgent.slice(0, LONGEST_USER_AGENT),
      created_at: new Date(createdAt).toISOString(),
      expires_at: new Date(createdAt + sessionTimeout * 1000).toISOString(),
      last_seen_at: new Date(createdAt).toISOString(),
    };
    const { generation } = this.secrets;
    this.store.insert({ ...session, cookie_hash: hashOf(cookie), generation });
    return { session, cookie };
  }

  /** A token of a session. It ends with the session, whenever it was made. */
  token(session: Session): string {
    return this.tokens.sign({
      sub: session.username,
      jti: session.id,
      exp: Date.parse(session.expires_at) / 1000,
    });
  }

  /** The session of a token whose signature was checked. @throws DomainError `unauthorized` */
  ofClaims(claims: Partial<TokenClaims>): Session {
    const { sub, jti, iat, exp, aud } = claims;
    if (typeof jti !== 'string' || typeof iat !== 'number' || aud !== AUDIENCE) throw unauthorized();
    if (iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS) throw unauthorized();
    const session = this.find(jti);
    if (!session || session.username !== sub || exp !== Date.parse(session.expires_at) / 1000) {
      throw unauthorized();
    }
    this.noteSeen(session);
    return session;
  }

  /** @throws DomainError `unauthorized` */
  ofToken(token: string): Session {
    let claims: Partial<TokenClaims>;
    try {
      claims = this.tokens.verify<TokenClaims>(token);
    } catch {
      throw unauthorized();
    }
    return this.ofClaims(claims);
  }

  ofCookie(cookie: string): Session | undefined {
    return this.store.liveByCookie(hashOf(cookie), this.secrets.generation, now());
  }

  /** A live session by its id. */
  find(id: string): Session | undefined {
    return this.store.live(id, this.secrets.generation, now());
  }

  list(): Session[] {
    return this.store.listLive(this.secrets.generation, now());
  }

  end(id: string, reason: SessionEnd): boolean {
    return this.store.end(id, reason, now());
  }

  /** Ends every session but one. @returns how many those were. */
  endOthers(id: string): number {
    return this.store.endOthers(id, 'ended_by_user', this.secrets.generation, now());
  }

  private noteSeen(session: Session): void {
    if (Date.now() - Date.parse(session.last_seen_at) > SEEN_EVERY_MS) this.store.seen(session.id, now());
  }
}

/**
 * One answer for whatever is wrong: what it was would help only who tries.
 * @param wait seconds until another try is taken.
 */
export function unauthorized(wait = 0): DomainError {
  return new DomainError(
    'unauthorized',
    'Unauthorized',
    wait > 0 ? { retry_after_seconds: wait } : undefined,
  );
}

function now(): string {
  return new Date().toISOString();
}

export function randomText(): string {
  return randomBytes(24).toString('base64url');
}

/** A random text of 192 bits needs no slow hash: nobody guesses it. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
