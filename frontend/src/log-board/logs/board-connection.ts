import { DestroyRef, inject, Service, signal } from '@angular/core';
import type { LogBoardMessage } from '../../shared/api/api-types';
import { SignInAgain } from '../../shared/session/sign-in-again';
import { SignInSession } from '../../shared/session/sign-in-session';

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
/** The server closes with it when the session ends. */
const SESSION_ENDED = 4401;

/** The log board's one socket, open while a page watches. */
@Service()
export class BoardConnection {
  private readonly session = inject(SignInSession);
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
      query = await this.session.socketQuery();
    } catch {
      if (await this.again.takeUp()) return await this.connect();
      this.lost();
      return;
    }
    if (this.watchers === 0) return;
    const { protocol, host } = window.location;
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/ws${query}`);
    this.socket = socket;
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as LogBoardMessage;
      if (message.type !== 'hello') return;
      this.attempts = 0;
      this.current.set('open');
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.socket) return;
      if (code === SESSION_ENDED) void this.askAgain();
      else this.lost();
    };
  }

  private async askAgain(): Promise<void> {
    this.current.set('lost');
    if (await this.again.takeUp()) await this.connect();
  }

  private lost(): void {
    this.current.set('lost');
    if (this.watchers === 0) return;
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attempts);
    this.attempts += 1;
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.connect(), wait);
  }

  private leave(): void {
    clearTimeout(this.retry);
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
    this.current.set('connecting');
  }
}
