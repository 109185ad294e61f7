import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('malformed requests', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  /** Sends bytes unchanged. @returns the response until the server closes the connection */
  const send = async (text: string): Promise<{ line: string; headers: string; body: ErrorResponse }> =>
    await new Promise((resolve, reject) => {
      let answer = '';
      const socket = createConnection(app.port, '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('error', reject);
      socket.on('close', () => {
        const [head = '', body = ''] = answer.split('\r\n\r\n');
        const [line = '', ...headers] = head.split('\r\n');
        resolve({ line, headers: headers.join('\n').toLowerCase(), body: JSON.parse(body) as ErrorResponse });
      });
    });
  const host = (): string => `Host: localhost:${app.port}\r\n`;

  it.each([
    ['no request line', () => 'hello\r\n\r\n', 400, 'malformed_request'],
    ['TLS', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', () => `BREW / HTTP/1.1\r\n${host()}\r\n`, 400, 'malformed_request'],
    ['a broken header', () => `GET / HTTP/1.1\r\n${host()}a b c\r\n\r\n`, 400, 'malformed_request'],
    [
      'two lengths',
      () => `POST /api/v1/clusters HTTP/1.1\r\n${host()}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['no host', () => 'GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'headers without end',
      () => `GET / HTTP/1.1\r\n${host()}X-Long: ${'a'.repeat(70_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('with %s get an error response', async (_what, text, status, code) => {
    const { line, headers, body } = await send(text());
    expect(line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(body).toMatchObject({ statusCode: status, code, details: null });
    expect(body.message.length).toBeGreaterThan(20);
    expect(body.request_id).toMatch(/^[0-9a-f]{16}$/);
    expect(headers).toContain(`x-request-id: ${body.request_id}`);
    expect(headers).toContain('content-type: application/json; charset=utf-8');
    expect(headers).toContain('connection: close');
    expect(headers).toContain('cross-origin-opener-policy: same-origin');
  });

  it('do not stop the server', async () => {
    expect((await app.client.send('GET', '/api/v1/health')).status).toBe(200);
  });
});
