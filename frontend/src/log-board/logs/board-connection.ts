import { DestroyRef, effect, inject, InjectionToken, Service, signal, untracked } from '@angular/core';
import type { LogBoardMessage, LogBoardRequest } from '../../shared/api/api-types';
import { openSocket } from '../../shared/live/open-socket';
import { SignInAgain } from '../../shared/session/sign-in-again';
import { SignInSession } from '../../shared/session/sign-in-session';

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

/** The log board's one socket, open while somebody wants it. */
@Service()
export class BoardConnection {
  private readonly open = inject(OPEN_BOARD_SOCKET);
  private readonly again = inject(SignInAgain);
  private readonly session = inject(SignInSession);
  private readonly current = signal<'connecting' | 'open' | 'lost'>('connecting');
  private readonly listeners = new Set<BoardListener>();
  /** Pages that show what comes over it. */
  private watchers = 0;
  /** Who listens beside the page. */
  private attendants = 0;
  /** The session ended, and nobody is to be asked: the next one goes on. */
  private resting = false;
  private socket: WebSocket | undefined;
  private attempts = 0;
  /** The token that the socket was opened with. */
  private openedWith: string | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;

  readonly state = this.current.asReadonly();

  constructor() {
    effect(() => {
      if (this.session.token === undefined || !this.resting) return;
      this.resting = false;
      untracked(() => void this.connect());
    });
  }

  /**
   * Keeps the socket open as long as the caller lives, and asks for the password where that takes it. Call it where
   * things can be injected.
   */
  watch(): void {
    this.watchers += 1;
    this.begin();
    inject(DestroyRef).onDestroy(() => {
      this.watchers -= 1;
      this.end();
    });
  }

  /** Keeps the socket open as well, but asks nobody: it rests where a session ends until somebody has signed in. */
  attend(): void {
    this.attendants += 1;
    this.begin();
    inject(DestroyRef).onDestroy(() => {
      this.attendants -= 1;
      this.end();
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
    // A socket that closes still counts as open until its close event; the next connection subscribes again.
    if (untracked(this.current) !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
  }

  private get isWanted(): boolean {
    return this.watchers + this.attendants > 0;
  }

  /** For the first who wants it, and for a page where it rests. */
  private begin(): void {
    const isFirst = this.watchers + this.attendants === 1;
    if (!isFirst && !(this.resting && this.watchers > 0)) return;
    this.resting = false;
    void this.connect();
  }

  private end(): void {
    if (!this.isWanted) this.leave();
  }

  private async connect(): Promise<void> {
    let query: string | null;
    try {
      query = await (this.watchers > 0 ? this.again.socketQuery() : this.again.quietSocketQuery());
    } catch {
      this.lost();
      return;
    }
    if (query === null) this.rest();
    else if (this.isWanted && !this.socket) {
      this.openedWith = untracked(() => this.session.token);
      this.attach(this.open(query));
    }
  }

  private rest(): void {
    // A page came meanwhile, which may ask.
    if (this.watchers > 0) void this.connect();
    else {
      this.resting = this.isWanted;
      this.current.set('lost');
    }
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
      const hasNext = untracked(() => this.session.token) !== this.openedWith;
      if (this.watchers > 0 || hasNext) void this.connect();
      else this.rest();
    };
  }

  private lost(): void {
    if (!this.isWanted) return;
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
    this.resting = false;
    socket?.close();
    this.current.set('connecting');
  }
}
