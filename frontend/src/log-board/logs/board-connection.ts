import { DestroyRef, inject, InjectionToken, Service, signal, untracked } from '@angular/core';
import type { LogBoardMessage, LogBoardRequest } from '../../shared/api/api-types';
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

/** A part of a page that speaks over the socket. */
export interface BoardListener {
  /** The connection stands: the first time, and each time after it was lost. The server knows of nothing yet. */
  opened: () => void;
  told: (message: LogBoardMessage) => void;
}

/** The log board's one socket, open while a page watches. */
@Service()
export class BoardConnection {
  private readonly open = inject(OPEN_BOARD_SOCKET);
  private readonly again = inject(SignInAgain);
  private readonly current = signal<'connecting' | 'open' | 'lost'>('connecting');
  private readonly listeners = new Set<BoardListener>();
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

  /** Begins to listen; the answer ends it. */
  listen(listener: BoardListener): () => void {
    this.listeners.add(listener);
    if (untracked(this.current) === 'open') listener.opened();
    return () => void this.listeners.delete(listener);
  }

  /** Sends nothing where the connection does not stand: who listens is told when it does. */
  send(message: LogBoardRequest): void {
    if (untracked(this.current) === 'open') this.socket?.send(JSON.stringify(message));
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
      if (socket !== this.socket) return;
      if (message.type === 'hello') {
        this.attempts = 0;
        this.current.set('open');
        for (const listener of this.listeners) listener.opened();
      } else for (const listener of this.listeners) listener.told(message);
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
