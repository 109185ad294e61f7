import { HttpBackend, HttpClient } from '@angular/common/http';
import { computed, inject, Service, signal } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { EndedSessionDto, ListedSessionDto, TicketDto, TokenDto, UserDto } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { Clock } from '../live/clock';

const AUTH = '/api/auth';
/** From when on a session's end is announced. */
export const ANNOUNCE_MS = 60_000;

/**
 * Who is signed in, and the token that says so. It stays in memory: a page that is loaded again gets another one
 * for its cookie. Where nobody has to sign in, there is none, and none is missed.
 */
@Service()
export class SignInSession {
  // Past the interceptors: they ask this for the token.
  private readonly http = new HttpClient(inject(HttpBackend));
  private readonly clock = inject(Clock);
  private readonly held = signal<TokenDto | null>(null);
  private restoring: Promise<boolean> | undefined;

  readonly user = computed<UserDto | null>(() => this.held()?.user ?? null);
  /** Milliseconds since 1970. */
  readonly endsAt = computed(() => {
    const user = this.user();
    return user ? Date.parse(user.session.expires_at) : null;
  });
  /** Seconds until the end, in its last minute; null before that, and where nobody is signed in. */
  readonly endingIn = computed(() => {
    const ends = this.endsAt();
    if (ends === null) return null;
    const left = ends - this.clock.now();
    return left > ANNOUNCE_MS ? null : Math.max(0, Math.ceil(left / 1000));
  });

  get token(): string | undefined {
    return this.held()?.access_token;
  }

  /** @throws ApiProblem */
  async signIn(username: string, password: string): Promise<void> {
    this.held.set(await this.post<TokenDto>('login', { username, password }));
  }

  /** Gets a token for the cookie of a session that goes on. Many who ask at once ask together. */
  async restore(): Promise<boolean> {
    this.restoring ??= this.post<TokenDto>('token')
      .then(
        (token) => {
          this.held.set(token);
          return true;
        },
        () => false,
      )
      .finally(() => (this.restoring = undefined));
    return await this.restoring;
  }

  /** Ends the session; where the server cannot be reached, this page forgets it all the same. */
  async signOut(): Promise<void> {
    try {
      await this.post<EndedSessionDto>('logout');
    } finally {
      this.held.set(null);
    }
  }

  /** What the address of a WebSocket needs: a ticket, as addresses may be kept. */
  async socketQuery(): Promise<string> {
    const { ticket } = await this.post<TicketDto>('ticket');
    return `?token=${ticket}`;
  }

  /** @throws ApiProblem */
  async sessions(): Promise<ListedSessionDto[]> {
    return await this.problems(
      this.http.get<ListedSessionDto[]>(`${AUTH}/sessions`, { headers: this.headers() }),
    );
  }

  /** @throws ApiProblem */
  async end(id: string): Promise<void> {
    const path = `${AUTH}/sessions/${encodeURIComponent(id)}`;
    await this.problems(this.http.delete<EndedSessionDto>(path, { headers: this.headers() }));
  }

  private async post<T>(what: string, body?: object): Promise<T> {
    return await this.problems(this.http.post<T>(`${AUTH}/${what}`, body, { headers: this.headers() }));
  }

  private headers(): Record<string, string> {
    return this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
  }

  private async problems<T>(request: Parameters<typeof firstValueFrom<T>>[0]): Promise<T> {
    try {
      return await firstValueFrom<T>(request);
    } catch (thrown) {
      throw ApiProblem.of(thrown);
    }
  }
}
