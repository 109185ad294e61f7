import { HttpBackend, HttpClient } from '@angular/common/http';
import { computed, effect, inject, Service, signal, untracked } from '@angular/core';
import { firstValueFrom } from 'rxjs';
import type { EndedSessionDto, TicketDto, TokenDto, UserDto } from '../api/api-types';
import { ApiProblem } from '../api/api-problem';
import { served } from '../api/base-path';
import { Clock } from '../browser/clock';
import { SessionChannel } from './session-channel';

const ANNOUNCE_MS = 300_000;
/** Until a renewal that failed is tried again. */
const RETRY_MS = 30_000;

/** Why a dialog prompts for the password: for the session, or for a call that needs it, or needs it again. */
export type SignInReason = 'session' | 'password' | 'recent';

interface Held {
  token: string;
  user: UserDto;
  /** By the browser's clock, in milliseconds since the epoch. */
  endsAt: number;
  /** When a visible page gets a later token, before this one expires; null if it cannot be renewed. */
  renewsAt: number | null;
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
  /** Seconds until the end, in the last five minutes; otherwise null. */
  readonly endingIn = computed(() => {
    const held = this.held();
    if (held === null) return null;
    const left = held.endsAt - this.clock.local();
    const isFar = left > ANNOUNCE_MS || (held.renewsAt !== null && left > 0);
    return isFar ? null : Math.max(0, Math.ceil(left / 1000));
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
    // The clock stops while the page is hidden: a page that no one sees is not in use.
    effect(() => {
      const renewsAt = this.held()?.renewsAt ?? null;
      if (renewsAt !== null && this.clock.local() >= renewsAt) untracked(() => void this.renew());
    });
    // The server decides whether the session has ended: the browser's clock may have been set.
    effect(() => {
      if (this.endingIn() === 0) untracked(() => void this.restore());
    });
  }

  /** @param scope `full` rejects credentials that only read. @throws ApiProblem */
  async signIn(username: string, password: string, scope?: 'full'): Promise<void> {
    this.hold(await this.post<TokenDto>('login', { username, password, scope }));
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

  private async renew(): Promise<void> {
    this.held.update((held) => held && { ...held, renewsAt: this.clock.local() + RETRY_MS });
    const { token } = this;
    await this.post<TokenDto>('renewal').then(
      (renewed) => {
        // Not after a sign-out or another sign-in meanwhile.
        if (this.token === token) this.hold(renewed);
      },
      () => undefined,
    );
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

  private hold({ access_token: token, expires_in: seconds, renewable, user }: TokenDto): void {
    // Relative, because the clocks of browser and server may differ.
    const now = Date.now();
    const renewsAt = renewable ? now + seconds * 500 : null;
    this.held.set({ token, user, endsAt: now + seconds * 1000, renewsAt });
    this.refused.set(false);
  }

  private async post<T>(what: string, body?: object): Promise<T> {
    const headers: Record<string, string> =
      this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    try {
      return await firstValueFrom(this.http.post<T>(served(`/api/auth/${what}`), body, { headers }));
    } catch (thrown) {
      throw ApiProblem.of(thrown);
    }
  }
}
