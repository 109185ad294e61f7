import { readdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ServerProcess, temporaryFolder } from '../support/server/server-process.js';
import { waitFor } from '../support/wait-for.js';

const SOCKETS = 700;
/** Descriptors that the server opens for other reasons meanwhile. */
const TOLERANCE = 10;

describe('half-open connections', () => {
  it('release their descriptors, whatever they sent, and the server still responds', async () => {
    const { path: folder, remove } = await temporaryFolder();
    const server = await ServerProcess.start({
      PATH: '/usr/bin:/bin',
      HOME: folder,
      APP_DATA_DIR: folder,
      APP_RUNTIME: 'demo',
    });
    const { port } = server.client;
    const host = `Host: localhost:${port}\r\n`;
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const texts = [
      '',
      `GET /api/v1/clusters HTTP/1.1\r\n${host}`,
      `POST /api/v1/clusters HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
      'hello\r\n\r\n',
      `GET //[ HTTP/1.1\r\n${host}Connection: close\r\n${upgrade}\r\n`,
      `GET /nothing HTTP/1.1\r\n${host}${upgrade}\r\n`,
      `GET /events HTTP/1.1\r\n${host}Origin: http://evil.example\r\n${upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    ];
    const sockets: Socket[] = [];
    try {
      const descriptors = (): number => readdirSync(`/proc/${server.pid}/fd`).length;
      const before = descriptors();
      for (let index = 0; index < SOCKETS; index += 1) {
        const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
        socket.on('error', () => undefined);
        socket.write(texts[index % texts.length] ?? '');
        sockets.push(socket);
      }
      await waitFor(() => descriptors() > before + 100, 'the connections');
      await waitFor(() => descriptors() <= before + TOLERANCE, 'the end of all connections', 60_000);
      expect((await server.client.send('GET', '/api/v1/health')).status).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
      await server.stop();
      await remove();
    }
  });
});
