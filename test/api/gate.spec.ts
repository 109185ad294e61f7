import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { clusterSpec } from '../support/app/clusters.js';
import { expectError } from '../support/app/error-response.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const CHANGES = [
  ['POST', '/api/v1/clusters'],
  ['POST', '/api/v1/clusters/check'],
  ['DELETE', '/api/v1/clusters/x'],
  ['PUT', '/api/v1/clusters/x/config'],
  ['POST', '/api/v1/clusters/x/config/check'],
  ['POST', '/api/v1/jobs/1/cancel'],
  ['DELETE', '/api/v1/jobs'],
] as const;

const READS = [
  '/api/v1/clusters',
  '/api/v1/clusters/x',
  '/api/v1/clusters/x/config/schema',
  '/api/v1/clusters/x/config',
  '/api/v1/clusters/x/config/applied',
  '/api/v1/clusters/x/provision-log',
  '/api/v1/clusters/x/kubeconfig',
  '/api/v1/clusters/x/node-logs',
  '/api/v1/jobs',
  '/api/v1/jobs/1',
  '/api/v1/journal/recent',
  '/api/v1/journal/export',
  '/api/v1/stats',
  '/api/v1/versions',
  '/api/v1/health',
  '/api/v1/diagnostics',
  '/api/v1/docs',
  '/api/v1/docs/readme',
  '/api/v1/docs/install',
] as const;

const OUTSIDE = ['/', '/clusters', '/docs', '/redoc', '/openapi.json', '/favicon.ico', '/nothing'] as const;

describe('HostOriginGuard and body limits', () => {
  let app: TestApp;
  /** With one more name. */
  let named: TestApp;

  beforeAll(async () => {
    app = await startApp();
    named = await startApp({ environment: { APP_ALLOWED_HOSTS: 'slipway.test:8080' } });
  });

  afterAll(async () => {
    await app.stop();
    await named.stop();
  });

  const foreignHosts = (port: number): string[] => [
    'evil.example',
    `evil.example:${port}`,
    'localhost',
    'localhost:1',
    `localhost.:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.2:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `user@localhost:${port}`,
    'slipway.test',
    '',
  ];

  it('accept only the allowed hosts', async () => {
    for (const host of [
      `localhost:${app.port}`,
      `127.0.0.1:${app.port}`,
      `[::1]:${app.port}`,
      `LOCALHOST:${app.port}`,
    ]) {
      expect((await app.client.send('GET', '/api/v1/health', { headers: { host } })).status).toBe(200);
    }
    // A further name may be a proxy's, behind which anyone may be: sign-in is required under every name then.
    for (const host of ['slipway.test:8080', `localhost:${named.port}`]) {
      const answer = await named.client.send('GET', '/api/v1/stats', { headers: { host } });
      expectError(answer, 401, 'unauthorized');
    }
    for (const host of foreignHosts(app.port)) {
      expectError(
        await app.client.send('GET', '/api/v1/health', { headers: { host } }),
        403,
        'forbidden_host',
      );
    }
  });

  it('check the Host of every path, including pages and documents', async () => {
    for (const path of [...READS, ...OUTSIDE]) {
      expectError(
        await app.client.send('GET', path, { headers: { host: 'evil.example' } }),
        403,
        'forbidden_host',
      );
    }
    for (const [method, path] of CHANGES) {
      expectError(
        await app.client.send(method, path, { headers: { host: 'evil.example' } }),
        403,
        'forbidden_host',
      );
    }
  });

  it('reject requests with two hosts or none', async () => {
    const raw = async (lines: string[]): Promise<string> =>
      await new Promise((resolve, reject) => {
        let text = '';
        const socket = createConnection(app.port, '127.0.0.1', () => {
          socket.write(
            `${['GET /api/v1/health HTTP/1.1', ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`,
          );
        });
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('error', reject);
        socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
      });
    const own = `Host: localhost:${app.port}`;
    expect(await raw([own])).toBe('HTTP/1.1 200 OK');
    expect(await raw([own, 'Host: evil.example'])).toBe('HTTP/1.1 403 Forbidden');
    expect(await raw([])).toBe('HTTP/1.1 400 Bad Request');
  });

  it.each(CHANGES)('reject %s %s from another origin', async (method, path) => {
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: `http://localhost:${app.port + 1}` },
      { origin: `http://localhost:${app.port}.evil.example` },
      { origin: `http://localhost:${app.port}/` },
      { origin: 'null' },
      { origin: 'file://' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: `http://localhost:${app.port}` },
    ] as Record<string, string>[]) {
      expectError(await app.client.send(method, path, { headers }), 403, 'forbidden_origin');
    }
  });

  it('accept changes from same-origin pages and programs', async () => {
    for (const headers of [
      {},
      { origin: `http://localhost:${app.port}`, 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      expect((await app.client.send('DELETE', '/api/v1/jobs', { headers })).status).toBe(200);
    }
    const ours = { headers: { origin: 'http://slipway.test:8080' } };
    expectError(await named.client.send('DELETE', '/api/v1/jobs', ours), 401, 'unauthorized');
  });

  it('never send CORS headers', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await app.client.send(method, '/api/v1/clusters', {
        headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'application/yaml',
    'application/jsonp',
    '',
  ])('reject a body of type "%s"', async (type) => {
    const answer = await app.client.send('POST', '/api/v1/clusters', {
      text: JSON.stringify(clusterSpec('typed')),
      headers: { 'content-type': type },
    });
    expectError(answer, 415, 'unsupported_media_type');
  });

  it('reject unsupported charsets and encodings', async () => {
    const charset = { 'content-type': 'application/json; charset=utf-99' };
    expectError(
      await app.client.send('POST', '/api/v1/clusters', { text: '{}', headers: charset }),
      415,
      'unsupported_media_type',
    );
    const encoding = { 'content-encoding': 'zip' };
    expectError(
      await app.client.send('POST', '/api/v1/clusters', { text: '{}', headers: encoding }),
      415,
      'unsupported_media_type',
    );
    const lie = { 'content-encoding': 'gzip' };
    expectError(
      await app.client.send('POST', '/api/v1/clusters', { text: '{}', headers: lie }),
      400,
      'malformed_body',
    );
  });

  it('reject bodies over 256 kB, compressed or not', async () => {
    const { gzipSync } = await import('node:zlib');
    const large = JSON.stringify({ name: 'x'.repeat(300_000) });
    expectError(await app.client.send('POST', '/api/v1/clusters', { text: large }), 413, 'payload_too_large');
    expectError(
      await app.client.send('POST', '/api/v1/clusters', {
        text: gzipSync(large),
        headers: { 'content-encoding': 'gzip' },
      }),
      413,
      'payload_too_large',
    );
  });

  it.each(['{"name":', '"text"', 'null', 'true', '', '{"a":1}}'])('reject the body %s', async (text) => {
    const answer = await app.client.send('POST', '/api/v1/clusters', { text });
    expect(answer.status).toBe(400);
    expectError(answer, 400, (answer.body as ErrorResponse).code);
  });

  it('return 404 for every method of an unknown path, and for unsupported methods of others', async () => {
    for (const path of ['/nothing', '/api/v1/nothing', '/index.html', '/api/v1/clusters/x/nothing']) {
      for (const method of ['PUT', 'POST', 'DELETE', 'OPTIONS']) {
        expectError(await app.client.send(method, path), 404, 'route_not_found');
      }
    }
    for (const path of [...READS, ...OUTSIDE]) {
      if (path === '/api/v1/clusters' || path === '/api/v1/jobs') continue;
      for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        expectError(await app.client.send(method, path), 404, 'route_not_found');
      }
    }
  });

  it('return 404 for unknown paths in all spellings', async () => {
    for (const path of [
      '/api/v1',
      '/api/v2/clusters',
      '/api/v1/',
      '/api',
      '/.env',
      '/%ff',
      '/..%2f..%2fetc/passwd',
      '//evil.example/',
      '/docs/../../package.json',
      '/docs/nothing',
      '/openapi.json/x',
    ]) {
      expectError(await app.client.send('GET', path), 404, 'route_not_found');
    }
    expectError(await app.client.send('GET', '/api/v1/clusters/%ff'), 400, 'malformed_body');
  });

  it('return only the request id for an internal error', async () => {
    const { ClusterStore } = await import('../../backend/src/modules/clusters/index.js');
    const store = app.nest.get(ClusterStore);
    const list = store.list.bind(store);
    store.list = () => Promise.reject(new Error('secret detail at /home/me'));
    const answer = await app.client.send('GET', '/api/v1/clusters');
    store.list = list;
    expectError(answer, 500, 'internal');
    expect(answer.text).not.toContain('secret detail');
    const { request_id } = answer.body as ErrorResponse;
    const entry = app
      .log()
      .split('\n')
      .find((line) => line.includes('secret detail'));
    expect(JSON.parse(entry ?? '{}')).toMatchObject({ level: 'error', request_id });
  });
});

describe('security headers', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });

  afterAll(() => app.stop());

  const policyOf = (answer: ApiResponse): Map<string, string> =>
    new Map(
      String(answer.headers['content-security-policy'])
        .split(';')
        .map((directive) => {
          const [name = '', ...values] = directive.trim().split(' ');
          return [name, values.join(' ')];
        }),
    );

  it('allow only own scripts, no frames and no other servers', async () => {
    for (const path of [...READS, ...OUTSIDE]) {
      const answer = await app.client.send('GET', path, { headers: { accept: 'text/html' } });
      if (path === '/favicon.ico') continue;
      const policy = policyOf(answer);
      expect(policy.get('default-src')).toBe("'none'");
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect(policy.get('object-src')).toBe("'none'");
      expect(policy.get('connect-src')).toBe("'self'");
      expect(answer.headers['content-security-policy']).not.toContain('unsafe-eval');
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=(), '),
      });
      expect(answer.headers).not.toHaveProperty('x-powered-by');
      expect(answer.headers).not.toHaveProperty('set-cookie');
      if (path.startsWith('/api/')) expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('have a new style nonce each time; only Swagger UI may use inline styles without it', async () => {
    const nonces = new Set<string>();
    for (let index = 0; index < 5; index += 1) {
      const style = policyOf(await app.client.send('GET', '/login')).get('style-src') ?? '';
      expect(style).toMatch(/^'self' 'nonce-[\w+/]{22}=='$/);
      nonces.add(style);
    }
    expect(nonces.size).toBe(5);
    expect(policyOf(await app.client.send('GET', '/docs')).get('style-src')).toBe("'self' 'unsafe-inline'");
    for (const path of ['/docsx', '/redoc']) {
      expect(policyOf(await app.client.send('GET', path)).get('style-src')).not.toContain('unsafe-inline');
    }
  });

  it.each(['/docs', '/docs/', '/redoc'])('are sent with %s, which uses only own scripts', async (path) => {
    const answer = await app.client.send('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('text/html');
    const scripts = [...answer.text.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes = '', content = ''] of scripts) {
      expect(content.trim()).toBe('');
      const source = /src=["']([^"']+)["']/.exec(attributes)?.[1] ?? '';
      const url = new URL(source, `http://localhost:${app.port}${path}`);
      expect(url.host).toBe(`localhost:${app.port}`);
      const script = await app.client.send('GET', url.pathname);
      expect(script.status).toBe(200);
      expect(script.headers['content-type']).toContain('javascript');
    }
    expect(answer.text).not.toMatch(/\son\w+=/);
  });

  it('are sent with the SVG icon', async () => {
    const answer = await app.client.send('GET', '/favicon.ico');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toContain('image/svg+xml');
    expect(answer.text).toContain('<svg');
  });

  it('are sent with README images, and no other project file is served', async () => {
    const { text } = await app.client.send('GET', '/api/v1/docs/readme');
    const pictures = [...text.matchAll(/src="(docs\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(pictures.length).toBeGreaterThan(0);
    for (const picture of pictures) {
      const answer = await app.client.send('GET', `/readme/${picture}`);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/png']);
    }
    for (const path of ['/readme/docs/../package.json', '/readme/package.json', '/readme/docs']) {
      expect((await app.client.send('GET', path)).status).toBe(404);
    }
  });
});
