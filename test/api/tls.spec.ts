import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const fixtures = join(readProject().root, 'test', 'fixtures', 'tls');

describe('built-in HTTPS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-tls-'));
  const [cert, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  let app: TestApp;
  let silent: Socket;

  const install = (name: 'first' | 'second'): void => {
    copyFileSync(join(fixtures, `${name}.key`), key);
    copyFileSync(join(fixtures, `${name}.crt`), cert);
  };
  /** Sends a request over TLS. @returns who the server said it is, and what it answered. */
  const ask = async (head: string): Promise<{ peer: PeerCertificate; answer: string }> =>
    await new Promise((resolve, reject) => {
      const ca = ['first', 'second'].map((name) => readFileSync(join(fixtures, `${name}.crt`)));
      const socket: TLSSocket = connect(
        { port: app.port, host: '127.0.0.1', servername: 'localhost', ca },
        () => {
          const peer = socket.getPeerCertificate();
          let answer = '';
          socket.on('data', (chunk: Buffer) => {
            answer += chunk.toString();
            if (!answer.includes('\r\n\r\n')) return;
            socket.destroy();
            resolve({ peer, answer });
          });
          socket.write(head);
        },
      );
      socket.on('error', reject);
    });
  const page = (): string => `GET /clusters HTTP/1.1\r\nHost: localhost:${app.port}\r\n\r\n`;

  beforeAll(async () => {
    install('first');
    app = await startApp({ environment: { APP_TLS_CERT: cert, APP_TLS_KEY: key } });
    silent = createConnection({ port: app.port, host: '127.0.0.1', allowHalfOpen: true });
    silent.on('error', () => undefined);
  });

  afterAll(async () => {
    silent.destroy();
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves requests and WebSockets', async () => {
    const { peer, answer } = await ask(page());
    expect([peer.subject.O, answer.split('\r\n')[0]]).toEqual(['first', 'HTTP/1.1 200 OK']);
    const upgrade = await ask(
      [
        'GET /events HTTP/1.1',
        `Host: localhost:${app.port}`,
        `Origin: https://localhost:${app.port}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        '\r\n',
      ].join('\r\n'),
    );
    expect(upgrade.answer).toMatch(/^HTTP\/1\.1 101 /);
  });

  it('links to the log board over HTTPS', async () => {
    const { answer } = await ask(`GET /log-board HTTP/1.1\r\nHost: localhost:${app.port}\r\n\r\n`);
    expect(answer).toMatch(/\r\nlocation: https:\/\/localhost:/i);
  });

  it('reloads a new certificate without a restart, and keeps the old one if the files are invalid', async () => {
    copyFileSync(join(fixtures, 'second.crt'), cert);
    await waitFor(() => app.log().includes('could not reload the certificate'), 'the warning');
    expect((await ask(page())).peer.subject.O).toBe('first');
    install('second');
    await waitFor(async () => (await ask(page())).peer.subject.O === 'second', 'the new certificate');
  });

  it('closes a connection without a handshake', async () => {
    silent.resume();
    await waitFor(() => silent.readableEnded, 'the end of the silent connection');
    const connections = async (): Promise<number> =>
      await new Promise((resolve) => {
        app.nest.getHttpServer().getConnections((_error, count) => resolve(count));
      });
    await waitFor(async () => (await connections()) === 0, 'the end of all connections');
  });
});

describe('an unusable certificate', () => {
  it.each([
    ['without its key', { APP_TLS_CERT: join(fixtures, 'first.crt') }, 'APP_TLS_KEY is missing'],
    [
      'with the wrong key',
      { APP_TLS_CERT: join(fixtures, 'first.crt'), APP_TLS_KEY: join(fixtures, 'second.key') },
      'APP_TLS_CERT or APP_TLS_KEY is invalid',
    ],
    [
      'that does not exist',
      { APP_TLS_CERT: '/nothing/tls.crt', APP_TLS_KEY: '/nothing/tls.key' },
      'APP_TLS_CERT or APP_TLS_KEY is invalid: ENOENT',
    ],
  ])('%s prevents the start with an error', async (_what, environment, message) => {
    await expect(startApp({ environment })).rejects.toThrow(message);
  });
});
