import { createServer, type Server } from 'node:http';
import { createConnection, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { endWith, limitConnections } from './connection-limits.js';

const LIMITS = { connections: 20, headersMs: 200, checkMs: 50, bodyMs: 200, idleMs: 100, unreadMs: 200 };
/** Like Node's own limit of five minutes, which applies to uploads too. */
const REQUEST_MS = 400;

describe('limitConnections', () => {
  let server: Server;
  let received: Promise<number>;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: LIMITS.headersMs });
    limitConnections(server, LIMITS);
    received = new Promise((resolve) => {
      server.on('request', (request, response) => {
        let bytes = 0;
        request.on('data', (chunk: Buffer) => (bytes += chunk.length));
        request.on('error', () => undefined);
        request.on('end', () => {
          if (request.url === '/large') response.end(Buffer.alloc(50_000_000));
          else if (request.url !== '/later') response.end('ok');
          else setTimeout(() => response.end('ok'), LIMITS.unreadMs * 3);
          resolve(bytes);
        });
      });
    });
    server.on('clientError', (_error, socket) => endWith(socket, 'HTTP/1.1 408 Request Timeout\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A client that does not close its side. */
  function open(text: string): { socket: Socket; closed: Promise<string> } {
    const { port } = server.address() as AddressInfo;
    const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(text);
    const closed = new Promise<string>((resolve) => {
      socket.on('end', () => resolve(answer));
      socket.on('close', () => resolve(answer));
    });
    return { socket, closed };
  }

  async function connections(): Promise<number> {
    return await new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async function noneLeft(): Promise<void> {
    const deadline = performance.now() + 5000;
    while ((await connections()) > 0) {
      if (performance.now() > deadline) throw new Error(`${await connections()} connections are left`);
      await delay(20);
    }
  }

  it.each([
    ['send nothing', ''],
    ['do not end their headers', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
    ['do not send the whole body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc'],
    [
      'do not go on with an upload',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-tar\r\nContent-Length: 10\r\n\r\nabc',
    ],
  ])('destroys connections that %s, with a response', async (_what, text) => {
    const { closed } = open(text);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /);
    await noneLeft();
  });

  it('does not limit the time of an upload that makes progress', async () => {
    const { socket, closed } = open(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-tar\r\nContent-Length: 20\r\nConnection: close\r\n\r\n',
    );
    for (let index = 0; index < 20; index += 1) {
      await delay(LIMITS.bodyMs / 5);
      socket.write('x');
    }
    expect(await received).toBe(20);
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('destroys connections without a request after a while', async () => {
    const { closed } = open('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
    await noneLeft();
  });

  it('destroys the connection of a client that does not read its response', async () => {
    const { socket } = open('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await received;
    await noneLeft();
  });

  it('waits for a late response', async () => {
    const { closed } = open('GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await closed).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('destroys a connection within a second of the last response to a silent client', () => {
    jest.useFakeTimers();
    try {
      const socket = new Duplex({ read: () => undefined, write: () => undefined });
      endWith(socket, 'HTTP/1.1 400 Bad Request\r\n\r\n');
      jest.advanceTimersByTime(1000);
      expect(socket.destroyed).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  it('limits the number of connections', async () => {
    const all = Array.from({ length: LIMITS.connections + 10 }, () => open(''));
    await Promise.race(all.map(({ closed }) => closed));
    expect(await connections()).toBeLessThanOrEqual(LIMITS.connections);
  });
});
