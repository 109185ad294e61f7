import { HttpBackend, HttpClient } from '@angular/common/http';
import { computed, inject, Service, signal } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { EndedSessionDto, TicketDto, TokenDto, UserDto } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { Clock } from '../browser/clock';
import { SessionChannel } from './session-channel';

const ANNOUNCE_MS = 60_000;

/** Why a dialog prompts for the password: for the session, or for a call that needs a session with the password. */
export type SignInReason = 'session' | 'password';

interface Held {
  token: string;
  user: UserDto;
  /** By the browser's clock, in milliseconds since the epoch. */
  endsAt: number;
}

/**
 * The signed-in user and the access token. The token stays in memory: a reloaded page gets a new one for its
 * cookie. There is neither if sign-in is off.
 */
@Service()
export class SignInSession {
  // Without interceptors: they need this service for the token.
  private readonly http = new HttpClient(inject(HttpBackend));
  private readonly clock = inject(Clock);
  private readonly channel = inject(SessionChannel);
  private readonly held = signal<Held | null>(null);
  private readonly refused = signal(false);
  private restoring: Promise<boolean> | undefined;

  readonly user = computed<UserDto | null>(() => this.held()?.user ?? null);
  /** Seconds until the end, in the last minute; otherwise null. */
  readonly endingIn = computed(() => {
    const held = this.held();
    if (held === null) return null;
    const left = held.endsAt - this.clock.local();
    return left > ANNOUNCE_MS ? null : Math.max(0, Math.ceil(left / 1000));
  });
  /** Why the session has ended; null while it is valid. */
  readonly ended = computed<'expired' | 'elsewhere' | null>(() => {
    if (this.endingIn() === 0) return 'expired';
    return this.refused() ? 'elsewhere' : null;
  });

  get token(): string | undefined {
    return this.held()?.token;
  }

  constructor() {
    // Tabs share the cookie, which now belongs to the new session.
    this.channel.elsewhere.subscribe(() => {
      if (this.user() !== null) void this.restore();
    });
  }

  /** @throws ApiProblem */
  async signIn(username: string, password: string): Promise<void> {
    this.hold(await this.post<TokenDto>('login', { username, password }));
    this.channel.announce();
  }

  /** Signs in with the token of a one-time link. @throws ApiProblem */
  async signInByLink(token: string): Promise<void> {
    this.hold(await this.post<TokenDto>('link', { token }));
    this.channel.announce();
  }

  /** Gets a token for the session cookie; concurrent callers share the request. @returns whether it is valid */
  async restore(): Promise<boolean> {
    this.restoring ??= this.post<TokenDto>('token')
      .then(
        (token) => {
          this.hold(token);
          return true;
        },
        (thrown: unknown) => {
          if (this.held() !== null && ApiProblem.of(thrown).status === 401) this.refused.set(true);
          return false;
        },
      )
      .finally(() => (this.restoring = undefined));
    return await this.restoring;
  }

  /** Ends the session. @throws ApiProblem; the session then continues */
  async signOut(): Promise<void> {
    await this.post<EndedSessionDto>('logout');
    this.held.set(null);
  }

  /** A ticket for one WebSocket. @throws ApiProblem */
  async ticket(): Promise<string> {
    return (await this.post<TicketDto>('ticket')).ticket;
  }

  private hold({ access_token: token, expires_in: seconds, user }: TokenDto): void {
    // Relative, because the clocks of browser and server may differ.
    this.held.set({ token, user, endsAt: Date.now() + seconds * 1000 });
    this.refused.set(false);
  }

  private async post<T>(what: string, body?: object): Promise<T> {
    const headers: Record<string, string> =
      this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    try {
      return await firstValueFrom(this.http.post<T>(`/api/auth/${what}`, body, { headers }));
    } catch (thrown) {
      throw ApiProblem.of(thrown);
    }
  }
}
