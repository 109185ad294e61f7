import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Configuration } from '../../core/config/index.js';
import { writeIfPossible } from '../../core/storage/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { MachineExemption } from './machine-exemption.js';
import type { AccessToken } from './access-tokens/access-token.js';
import { isOwner } from './owner.js';
import type { Session, SessionEndReason, TokenClaims } from './session.js';
import { SessionStore, type Generations } from './session.store.js';
import { hashOf, randomToken, unauthorized } from './tokens/secret-token.js';
import { AUDIENCE } from './tokens/token-options.js';

/** The same machine issues and verifies tokens, so clocks hardly differ. */
const CLOCK_SKEW_SECONDS = 2;
/** `last_seen_at` is display only; a write per request would cost more than it is worth. */
const SEEN_INTERVAL_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 300;
const RECENT_PASSWORD_MS = 15 * 60_000;

/** Marks sessions without a password in the database. Of this process only, so that none outlives it; shared by both applications. */
let mark: string | undefined;

export interface SessionClient {
  address: string;
  userAgent: string;
}

/** The origin of a session: the password, the read-only one (by its hash), a link, or the access token of a display. */
export type SessionStart =
  | { by: 'password' }
  | { by: 'viewer'; hash: string }
  | { by: 'link'; isBound: boolean }
  | { by: 'display'; token: AccessToken };

export interface StartedSession {
  session: Session;
  /** Value of the browser's cookie. Only its hash is stored. */
  cookie: string;
}

export interface IssuedToken {
  token: string;
  /** In seconds. */
  expiresIn: number;
  /** Whether the session can be renewed beyond the end of this token. */
  renewable: boolean;
}

@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly secrets: Secrets,
    private readonly tokens: JwtService,
    private readonly configuration: Configuration,
    private readonly machine: MachineExemption,
  ) {}

  /**
   * Starts a session. The caller has checked the password or the link. A bound one ends when a password is needed, that of a
   * display with its access token.
   * @throws DomainError `unauthorized` if it is bound, and a password is needed
   */
  start({ address, userAgent }: SessionClient, start: SessionStart): StartedSession {
    const generation = this.generationFor(start);
    if (generation === undefined) throw unauthorized();
    const display = start.by === 'display' ? start.token : undefined;
    const { user: username, sessionTimeout } = this.configuration.values;
    const createdAt = Math.floor(Date.now() / 1000) * 1000;
    const cookie = randomToken();
    const session: Session = {
      id: randomToken(),
      username,
      address,
      user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      created_at: new Date(createdAt).toISOString(),
      expires_at: new Date(
        display
          ? Math.floor(Date.parse(display.expires_at) / 1000) * 1000
          : createdAt + sessionTimeout * 1000,
      ).toISOString(),
      last_seen_at: new Date(createdAt).toISOString(),
      token_id: display?.id ?? null,
      scope: start.by === 'viewer' || display ? 'read' : 'full',
      password_at: start.by === 'password' ? new Date(createdAt).toISOString() : null,
    };
    this.store.insert({ ...session, cookie_hash: hashOf(cookie), generation });
    return { session, cookie };
  }

  /** Issues a token. It expires with the session; that of a display, which lasts longer, after the timeout. */
  token(session: Session): IssuedToken {
    const end = Math.min(Date.parse(session.expires_at), this.timeoutFromNow());
    return {
      token: this.tokens.sign({ sub: session.username, jti: session.id, exp: end / 1000 }),
      expiresIn: Math.max(0, Math.floor((end - Date.now()) / 1000)),
      renewable: end < this.lastEndOf(session),
    };
  }

  /** Extends a session by its timeout from now, up to SESSION_MAX after the sign-in. */
  renew(session: Session): Session {
    const end = Math.min(this.timeoutFromNow(), this.lastEndOf(session));
    if (end <= Date.parse(session.expires_at)) return session;
    const renewed = { ...session, expires_at: new Date(end).toISOString() };
    this.store.extend(session.id, renewed.expires_at);
    return renewed;
  }

  /** Returns the session of verified claims. @throws DomainError `unauthorized` */
  ofClaims(claims: Partial<TokenClaims>): Session {
    const { sub, jti, iat, exp, aud } = claims;
    if (typeof jti !== 'string' || typeof iat !== 'number' || aud !== AUDIENCE) throw unauthorized();
    if (iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS) throw unauthorized();
    const session = this.find(jti);
    // A token that was issued before a renewal ends earlier than the session.
    if (!session || session.username !== sub || !(Number(exp) <= Date.parse(session.expires_at) / 1000)) {
      throw unauthorized();
    }
    this.recordUse(session);
    return session;
  }

  /** For sockets and page loads, which Passport does not handle. @throws DomainError `unauthorized` */
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
    return this.store.live('cookie_hash', hashOf(cookie), this.generations(), now());
  }

  find(id: string): Session | undefined {
    return this.store.live('id', id, this.generations(), now());
  }

  list(): Session[] {
    return this.store.listLive(this.generations(), now());
  }

  end(id: string, reason: SessionEndReason): boolean {
    return this.store.end(id, reason, now());
  }

  endOthers(id: string): number {
    return this.store.endOthers(id, 'ended_by_user', this.generations(), now());
  }

  /** Whether a session was started without a password. */
  isBound(id: string): boolean {
    const generation = this.store.generationOf(id);
    return generation !== undefined && generation !== this.secrets.generation;
  }

  /** Whether the password was entered recently. True for those who need none. */
  hasRecentPassword(session: Session): boolean {
    if (isOwner(session) || this.isBound(session.id)) return true;
    const age = Date.now() - Date.parse(session.password_at ?? '');
    // Negative after the clock was set back, for an unknown time.
    return age >= 0 && age < RECENT_PASSWORD_MS;
  }

  private timeoutFromNow(): number {
    return (Math.floor(Date.now() / 1000) + this.configuration.values.sessionTimeout) * 1000;
  }

  private lastEndOf({ created_at, expires_at, token_id }: Session): number {
    if (token_id !== null) return Date.parse(expires_at);
    return Date.parse(created_at) + this.configuration.values.sessionMax * 1000;
  }

  private generations(): Generations {
    const { generation, viewer } = this.secrets;
    const { hash } = viewer;
    return [
      generation,
      this.boundGeneration() ?? generation,
      hash === undefined ? generation : this.viewerGeneration(hash),
    ];
  }

  private generationFor(start: SessionStart): string | undefined {
    if (start.by === 'viewer') return this.viewerGeneration(start.hash);
    return start.by === 'link' && start.isBound ? this.boundGeneration() : this.secrets.generation;
  }

  /** Of sessions with the read-only password, which end when it is changed or removed. */
  private viewerGeneration(hash: string): string {
    return `${this.secrets.generation} viewer ${hashOf(hash)}`;
  }

  /** Of sessions without a password, which end for good when one is needed; undefined while one is. */
  private boundGeneration(): string | undefined {
    if (this.machine.state() === 'required') return (mark = undefined);
    mark ??= randomToken();
    return `${this.secrets.generation} ${mark}`;
  }

  private recordUse(session: Session): void {
    if (Date.now() - Date.parse(session.last_seen_at) <= SEEN_INTERVAL_MS) return;
    writeIfPossible(() => this.store.seen(session.id, now()));
  }
}

function now(): string {
  return new Date().toISOString();
}
