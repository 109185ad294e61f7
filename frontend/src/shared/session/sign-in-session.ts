import { HttpBackend, HttpClient } from '@angular/common/http';
import { computed, inject, Service, signal } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { EndedSessionDto, TicketDto, TokenDto, UserDto } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { Clock } from '../live/clock';
import { SessionChannel } from './session-channel';

/** From when on a session's end is announced. */
const ANNOUNCE_MS = 60_000;

interface Held {
  token: string;
  user: UserDto;
  /** By this machine's clock, in milliseconds since 1970. */
  endsAt: number;
}

/**
 * Who is signed in, and the token that says so. It stays in memory: a page that is loaded again gets another one
 * for its cookie. Where nobody has to sign in, there is none, and none is missed.
 */
@Service()
export class SignInSession {
  // Past the interceptors: they ask this for the token.
  private readonly http = new HttpClient(inject(HttpBackend));
  private readonly clock = inject(Clock);
  private readonly news = inject(SessionChannel);
  private readonly held = signal<Held | null>(null);
  private readonly refused = signal(false);
  private restoring: Promise<boolean> | undefined;

  readonly user = computed<UserDto | null>(() => this.held()?.user ?? null);
  /** Seconds until the end, in its last minute; null before that, and where nobody is signed in. */
  readonly endingIn = computed(() => {
    const held = this.held();
    if (held === null) return null;
    const left = held.endsAt - this.clock.now();
    return left > ANNOUNCE_MS ? null : Math.max(0, Math.ceil(left / 1000));
  });
  /** How the session under this page came to its end: in its time, or by somebody who ended it elsewhere. */
  readonly ended = computed<'in time' | 'elsewhere' | null>(() => {
    if (this.endingIn() === 0) return 'in time';
    return this.refused() ? 'elsewhere' : null;
  });

  get token(): string | undefined {
    return this.held()?.token;
  }

  constructor() {
    // The cookie is the new session's: this tab goes on with it, also where its own has ended.
    this.news.elsewhere.subscribe(() => {
      if (this.user() !== null) void this.restore();
    });
  }

  /** @throws ApiProblem */
  async signIn(username: string, password: string): Promise<void> {
    this.hold(await this.post<TokenDto>('login', { username, password }));
    this.news.tell();
  }

  /** Signs in with the token of a one-time link. @throws ApiProblem */
  async signInByLink(token: string): Promise<void> {
    this.hold(await this.post<TokenDto>('link', { token }));
    this.news.tell();
  }

  /** Gets a token for the cookie of a session that goes on. Many who ask at once ask together. */
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

  /** Ends the session. @throws ApiProblem, and then it goes on. */
  async signOut(): Promise<void> {
    await this.post<EndedSessionDto>('logout');
    this.held.set(null);
  }

  /** What opens one socket. @throws ApiProblem */
  async ticket(): Promise<string> {
    return (await this.post<TicketDto>('ticket')).ticket;
  }

  private hold({ access_token: token, expires_in: seconds, user }: TokenDto): void {
    // In seconds from now: the two machines need not agree on what time it is.
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
