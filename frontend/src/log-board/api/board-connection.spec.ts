import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Component, inject, signal } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { SignInAgain } from '../../shared/session/sign-in-again';
import { SignInSession } from '../../shared/session/sign-in-session';
import { BoardConnection, OPEN_BOARD_SOCKET } from './board-connection';

class FakeBoardSocket {
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  isClosed = false;

  constructor(readonly query: string) {}

  readonly readyState = WebSocket.OPEN;

  close(): void {
    this.isClosed = true;
  }

  /** Responds to each ping. */
  send(text: string): void {
    if (text.includes('ping')) this.onmessage?.({ data: JSON.stringify({ type: 'pong' }) });
  }

  greet(): void {
    this.onmessage?.({ data: JSON.stringify({ type: 'hello', version: 1 }) });
  }
}

@Component({ template: '' })
class Watcher {
  constructor() {
    inject(BoardConnection).watch();
  }
}

@Component({ template: '' })
class Attendant {
  constructor() {
    inject(BoardConnection).watch('quiet');
  }
}

describe('BoardConnection', () => {
  let sockets: FakeBoardSocket[];
  /** The next tickets; requests fail if none is left. */
  let tickets: string[];
  /** The next tickets without a prompt; null if no user is signed in. */
  let quietTickets: (string | null)[];
  const token = signal<string | undefined>('first');
  let connection: BoardConnection;
  let fixture: ComponentFixture<Watcher>;

  beforeEach(async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    sockets = [];
    tickets = ['?token=one'];
    quietTickets = [];
    token.set('first');
    const again = {
      socketQuery: (): Promise<string> => {
        const ticket = tickets.shift();
        return ticket === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(ticket);
      },
      quietSocketQuery: (): Promise<string | null> => {
        const ticket = quietTickets.shift();
        return ticket === undefined ? Promise.reject(new Error('no answer')) : Promise.resolve(ticket);
      },
    };
    const open = (query: string): FakeBoardSocket => {
      const socket = new FakeBoardSocket(query);
      sockets.push(socket);
      return socket;
    };
    TestBed.configureTestingModule({
      providers: [
        { provide: SignInAgain, useValue: again },
        {
          provide: SignInSession,
          useValue: {
            get token() {
              return token();
            },
          },
        },
        { provide: OPEN_BOARD_SOCKET, useValue: open },
      ],
    });
    connection = TestBed.inject(BoardConnection);
    fixture = TestBed.createComponent(Watcher);
    await jest.advanceTimersByTimeAsync(0);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('connects with a ticket and is open after the greeting', () => {
    expect(sockets.map(({ query }) => query)).toEqual(['?token=one']);
    expect(connection.state()).toBe('connecting');
    sockets[0]?.greet();
    expect(connection.state()).toBe('open');
  });

  it('reconnects with a new ticket and growing delays', async () => {
    sockets[0]?.greet();
    sockets[0]?.onclose?.({ code: 1006 });
    expect(connection.state()).toBe('lost');
    // The first retry gets no ticket.
    await jest.advanceTimersByTimeAsync(500);
    expect(sockets).toHaveLength(1);
    tickets.push('?token=two');
    await jest.advanceTimersByTimeAsync(999);
    expect(sockets).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sockets.at(-1)?.query).toBe('?token=two');
    sockets.at(-1)?.greet();
    expect(connection.state()).toBe('open');
  });

  it('requests a ticket immediately after the session has ended, which may prompt for the password', async () => {
    sockets[0]?.greet();
    tickets.push('?token=again');
    sockets[0]?.onclose?.({ code: 4401 });
    expect(connection.state()).toBe('connecting');
    await jest.advanceTimersByTimeAsync(0);
    expect(sockets.at(-1)?.query).toBe('?token=again');
  });

  describe('watch of a quiet user', () => {
    async function attend(...tickets: (string | null)[]): Promise<void> {
      fixture.destroy();
      sockets = [];
      quietTickets = tickets;
      TestBed.createComponent(Attendant);
      await jest.advanceTimersByTimeAsync(0);
    }

    it('keeps the socket open across pages', async () => {
      await attend('?token=quiet');
      expect(sockets.map(({ query }) => query)).toEqual(['?token=quiet']);
      sockets[0]?.greet();
      const page = TestBed.createComponent(Watcher);
      page.destroy();
      await jest.advanceTimersByTimeAsync(60_000);
      expect([sockets.length, sockets[0]?.isClosed, connection.state()]).toEqual([1, false, 'open']);
    });

    it('does not prompt when the session ends, and reconnects with the next session', async () => {
      await attend('?token=quiet');
      sockets[0]?.greet();
      sockets[0]?.onclose?.({ code: 4401 });
      await jest.advanceTimersByTimeAsync(60_000);
      expect([sockets.length, connection.state()]).toEqual([1, 'lost']);
      quietTickets.push('?token=next');
      token.set('second');
      TestBed.tick();
      await jest.advanceTimersByTimeAsync(0);
      expect(sockets.at(-1)?.query).toBe('?token=next');
      // The new session started before the old one ended.
      token.set('third');
      quietTickets.push('?token=third');
      sockets.at(-1)?.greet();
      sockets.at(-1)?.onclose?.({ code: 4401 });
      await jest.advanceTimersByTimeAsync(0);
      expect(sockets.at(-1)?.query).toBe('?token=third');
    });

    it('connects once a page may prompt', async () => {
      await attend(null);
      expect(sockets).toEqual([]);
      tickets.push('?token=asked');
      TestBed.createComponent(Watcher);
      await jest.advanceTimersByTimeAsync(0);
      expect(sockets.map(({ query }) => query)).toEqual(['?token=asked']);
    });
  });

  it('closes with its last page, and does not reconnect', async () => {
    sockets[0]?.greet();
    fixture.destroy();
    expect(sockets[0]?.isClosed).toBe(true);
    sockets[0]?.onclose?.({ code: 1005 });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
  });
});
