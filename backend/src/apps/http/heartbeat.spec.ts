import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { WebSocketServer } from 'ws';
import { closeDeadSockets } from './heartbeat.js';

class Socket extends EventEmitter {
  readonly ping = jest.fn();
  readonly terminate = jest.fn();
}

describe('closeDeadSockets', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('closes sockets that do not respond to a ping, keeps others, and stops with the server', () => {
    const [answers, vanished] = [new Socket(), new Socket()];
    const clients = new Set([answers, vanished]);
    const server = Object.assign(new EventEmitter(), { clients });
    closeDeadSockets(server as unknown as WebSocketServer);
    for (const socket of clients) server.emit('connection', socket);

    jest.advanceTimersByTime(30_000);
    answers.emit('pong');
    expect([answers, vanished].map(({ terminate }) => terminate.mock.calls.length)).toEqual([0, 0]);
    jest.advanceTimersByTime(30_000);
    expect([answers, vanished].map(({ terminate }) => terminate.mock.calls.length)).toEqual([0, 1]);
    expect(answers.ping).toHaveBeenCalledTimes(2);

    server.emit('close');
    jest.advanceTimersByTime(120_000);
    expect(answers.ping).toHaveBeenCalledTimes(2);
  });
});
