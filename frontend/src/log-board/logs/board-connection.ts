import { DestroyRef, inject, InjectionToken, Service, signal } from '@angular/core';
import type { LogBoardMessage } from '../../shared/api/api-types';
import { openSocket } from '../../shared/live/open-socket';
import { SignInAgain } from '../../shared/session/sign-in-again';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** The server closes with it when the session ends. */
const SESSION_ENDED = 4401;

/** Opens the socket; a token, so that tests bring their own. */
export const OPEN_BOARD_SOCKET = new InjectionToken<(query: string) => WebSocket>('OPEN_BOARD_SOCKET', {
  providedIn: 'root',
  factory: () => (query) => openSocket('/ws', query),
});

/** The log board's one socket, open while a page watches. */
@Service()
export class BoardConnection {
  private readonly open = inject(OPEN_BOARD_SOCKET);
  private readonly again = inject(SignInAgain);
  private readonly current = signal<'connecting' | 'open' | 'lost'>('connecting');
  private watchers = 0;
  private socket: WebSocket | undefined;
  private attempts = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly state = this.current.asReadonly();

  /** Keeps the socket open as long as the caller lives. Call it where things can be injected. */
  watch(): void {
    this.watchers += 1;
    if (this.watchers === 1) void this.connect();
    inject(DestroyRef).onDestroy(() => {
      this.watchers -= 1;
      if (this.watchers === 0) this.leave();
    });
  }

  private async connect(): Promise<void> {
    let query: string;
    try {
      query = await this.again.socketQuery();
    } catch {
      this.lost();
      return;
    }
    if (this.watchers > 0 && !this.socket) this.attach(this.open(query));
  }

  private attach(socket: WebSocket): void {
    this.socket = socket;
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as LogBoardMessage;
      if (socket !== this.socket || message.type !== 'hello') return;
      this.attempts = 0;
      this.current.set('open');
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      this.socket = undefined;
      if (code !== SESSION_ENDED) {
        this.lost();
        return;
      }
      this.current.set('connecting');
      void this.connect();
    };
  }

  private lost(): void {
    if (this.watchers === 0) return;
    this.current.set('lost');
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attempts);
    this.attempts += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), wait);
  }

  private leave(): void {
    clearTimeout(this.retry);
    const { socket } = this;
    this.socket = undefined;
    this.attempts = 0;
    socket?.close();
    this.current.set('connecting');
  }
}
