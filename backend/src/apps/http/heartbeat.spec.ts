import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { closeDeadSockets, HEARTBEAT_MS } from './heartbeat.js';

/** Idle timeout of nginx (`proxy_read_timeout`), HAProxy examples and cloud load balancers. */
const PROXY_IDLE_MS = 60_000;

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

// Case S01: a shell left open for 5 minutes behind a proxy. Every gateway's server gets this heartbeat (GuardedWsAdapter).
// All times are a hundredth.
describe('a silent WebSocket behind a proxy', () => {
  const portOf = (server: { address: () => unknown }): number => (server.address() as AddressInfo).port;

  /** Closes a connection when the server has sent nothing for the idle time, as nginx does. */
  async function startProxy(target: number, idleMs: number): Promise<Server> {
    const proxy = createServer((client) => {
      const upstream = createConnection({ port: target, host: '127.0.0.1' });
      let idle = setTimeout(() => upstream.destroy(), idleMs);
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
      upstream.on('data', () => {
        clearTimeout(idle);
        idle = setTimeout(() => upstream.destroy(), idleMs);
      });
      client.pipe(upstream);
      upstream.pipe(client);
      client.on('close', () => upstream.destroy());
      upstream.on('close', () => {
        clearTimeout(idle);
        client.destroy();
      });
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  it.each([
    ['stays open with the heartbeat', HEARTBEAT_MS / 100, WebSocket.OPEN],
    ['would be closed with one that is as slow as the proxy', PROXY_IDLE_MS, WebSocket.CLOSED],
  ])('%s', async (_, everyMs, state) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    closeDeadSockets(server, everyMs);
    await once(server, 'listening');
    const proxy = await startProxy(portOf(server), PROXY_IDLE_MS / 100);
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(proxy)}`);
    try {
      await once(socket, 'open');
      // 5 minutes, as in the case.
      await pause(3000);
      expect(socket.readyState).toBe(state);
    } finally {
      socket.terminate();
      proxy.close();
      server.close();
    }
  });
});
