import { computed, DestroyRef, effect, inject, InjectionToken, Service, untracked } from '@angular/core';
import type { LogBoardMessage, LogBoardRequest } from '../../shared/api/api-types';
import { PageVisibility } from '../../shared/browser/page-visibility';
import { Heartbeat } from '../../shared/live/heartbeat';
import { openSocket } from '../../shared/live/open-socket';
import { ReconnectingSocket, type SocketListener } from '../../shared/live/reconnecting-socket';
import type { ServerConnection } from '../../shared/live/server-connection';
import { SignInAgain } from '../../shared/session/sign-in-again';
import { SignInSession } from '../../shared/session/sign-in-session';

/** The server closes with this code when the session ends. */
const SESSION_ENDED = 4401;

/** Opens the socket; a token, so that tests can replace it. */
export const OPEN_BOARD_SOCKET = new InjectionToken<(query: string) => WebSocket>('OPEN_BOARD_SOCKET', {
  providedIn: 'root',
  factory: () => (query) => openSocket('/ws', query),
});

export type BoardListener = SocketListener<LogBoardMessage>;

/** The log board's one socket, open while a page or the frame uses it. */
@Service()
export class BoardConnection implements ServerConnection {
  private readonly again = inject(SignInAgain);
  private readonly session = inject(SignInSession);
  private readonly visibility = inject(PageVisibility);
  private readonly listeners = new Set<BoardListener>();
  /** Users of the socket: pages may prompt for the password, quiet users must not. */
  private readonly users = { page: 0, quiet: 0 };
  private openedWith: string | undefined;
  private readonly socket = new ReconnectingSocket<LogBoardMessage, LogBoardRequest>({
    open: inject(OPEN_BOARD_SOCKET),
    query: () => this.query(),
    onOpen: () => {
      this.heartbeat.start();
      this.listeners.forEach((listener) => listener.onOpen());
    },
    onMessage: (message) => {
      if (message.type === 'pong') this.heartbeat.pong();
      this.listeners.forEach((listener) => listener.onMessage(message));
    },
    onLost: () => this.heartbeat.stop(),
    afterClose: (code) => {
      this.heartbeat.stop();
      if (code !== SESSION_ENDED) return 'retry';
      const isRenewed = untracked(() => this.session.token) !== this.openedWith;
      return this.users.page > 0 || isRenewed ? 'reconnect' : 'wait';
    },
  });

  private readonly heartbeat: Heartbeat = new Heartbeat({
    isVisible: this.visibility.visible,
    ping: () => this.socket.send({ type: 'ping' }),
    drop: () => this.socket.drop(),
  });

  readonly state = this.socket.state;
  readonly presence = computed(() => {
    const state = this.visibility.visible() ? this.state() : 'connecting';
    return state === 'open' && this.heartbeat.isQuiet() ? 'quiet' : state;
  });

  constructor() {
    // After a session has ended, the next one continues.
    effect(() => {
      if (this.session.token !== undefined && this.isUsed) untracked(() => this.socket.connect());
    });
  }

  /**
   * Keeps the socket open for the lifetime of the caller. If the session ends, prompts for a page's password; without
   * pages, it waits until the user has signed in. Requires an injection context.
   */
  watch(user: keyof typeof this.users = 'page'): void {
    this.users[user] += 1;
    this.socket.connect();
    inject(DestroyRef).onDestroy(() => {
      this.users[user] -= 1;
      if (!this.isUsed) this.close();
    });
  }

  /** Adds a listener; call the result to remove it. */
  listen(listener: BoardListener): () => void {
    this.listeners.add(listener);
    if (untracked(this.state) === 'open') listener.onOpen();
    return () => void this.listeners.delete(listener);
  }

  /** Sends nothing unless the connection is open: listeners learn of it by `onOpen`. */
  send(message: LogBoardRequest): void {
    this.socket.send(message);
  }

  reconnect(): void {
    if (this.isUsed) this.socket.connect();
  }

  private close(): void {
    this.heartbeat.stop();
    this.socket.close();
  }

  private get isUsed(): boolean {
    return this.users.page + this.users.quiet > 0;
  }

  private async query(): Promise<string | null> {
    let query = this.users.page > 0 ? null : await this.again.quietSocketQuery();
    // A page may have been opened meanwhile.
    if (query === null && this.users.page > 0) query = await this.again.socketQuery();
    this.openedWith = untracked(() => this.session.token);
    return query;
  }
}
