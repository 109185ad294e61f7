import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Component, inject } from '@angular/core';
import { type ComponentFixture, TestBed } from '@angular/core/testing';
import { SignInAgain } from '../../shared/session/sign-in-again';
import { BoardConnection, OPEN_BOARD_SOCKET } from './board-connection';

class FakeBoardSocket {
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  isClosed = false;

  constructor(readonly query: string) {}

  close(): void {
    this.isClosed = true;
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

describe('BoardConnection', () => {
  let sockets: FakeBoardSocket[];
  /** What the next tickets are; a failure where there is none left. */
  let tickets: string[];
  let connection: BoardConnection;
  let fixture: ComponentFixture<Watcher>;

  beforeEach(async () => {
    jest.useFakeTimers();
    sockets = [];
    tickets = ['?token=one'];
    const again = {
      socketQuery: (): Promise<string> => {
        const ticket = tickets.shift();
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
        { provide: OPEN_BOARD_SOCKET, useValue: open },
      ],
    });
    connection = TestBed.inject(BoardConnection);
    fixture = TestBed.createComponent(Watcher);
    await jest.advanceTimersByTimeAsync(0);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('opens with a ticket, and stands once it was greeted', () => {
    expect(sockets.map(({ query }) => query)).toEqual(['?token=one']);
    expect(connection.state()).toBe('connecting');
    sockets[0]?.greet();
    expect(connection.state()).toBe('open');
  });

  it('comes back with a ticket of its own after a loss, at growing intervals', async () => {
    sockets[0]?.greet();
    sockets[0]?.onclose?.({ code: 1006 });
    expect(connection.state()).toBe('lost');
    // No ticket at the first try.
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

  it('asks at once when the session has ended, as that may ask for the password', async () => {
    sockets[0]?.greet();
    tickets.push('?token=again');
    sockets[0]?.onclose?.({ code: 4401 });
    expect(connection.state()).toBe('connecting');
    await jest.advanceTimersByTimeAsync(0);
    expect(sockets.at(-1)?.query).toBe('?token=again');
  });

  it('closes with its last page, and is not brought back by what was under way', async () => {
    sockets[0]?.greet();
    fixture.destroy();
    expect(sockets[0]?.isClosed).toBe(true);
    sockets[0]?.onclose?.({ code: 1005 });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(sockets).toHaveLength(1);
  });
});
