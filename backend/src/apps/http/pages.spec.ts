import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import type { IncomingMessage, Server } from 'node:http';
import { ApiClient } from '../../../../test/support/app/api-client.js';
import { OpenAccess } from '../../../../test/support/app/open-access.js';
import { pages } from './pages.js';
import { securityHeaders } from './security-headers.js';
import { StaticFiles } from './static-files.js';

const HTML = { headers: { accept: 'text/html,*/*;q=0.8' } };

/** A policy that takes a header as the session. */
class SignedInByHeader extends OpenAccess {
  override isOpenTo(): boolean {
    return false;
  }

  override admitsPage(request?: IncomingMessage): boolean {
    return request?.headers['x-signed-in'] !== undefined;
  }
}

describe('pages', () => {
  const root = mkdtempSync(join(tmpdir(), 'slipway-pages-'));
  const folder = join(root, 'files');
  let demo = false;
  let server: Server;
  let client: ApiClient;

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(
      join(folder, 'index.html'),
      '<head></head><app ngCspNonce="__NONCE__" data-session="unseen"></app><style nonce="__NONCE__"></style>',
    );
    writeFileSync(join(folder, 'main-ABCD1234.js'), 'plain');
    writeFileSync(join(folder, 'main-ABCD1234.js.br'), 'packed');
    writeFileSync(join(folder, 'part-BX-u_t9U.js'), 'part');
    writeFileSync(join(folder, 'no-handmade.js'), 'made by hand');
    writeFileSync(join(folder, 'assets', 'mark.svg'), '<svg/>');
    writeFileSync(join(folder, 'assets', 'inter-NRMW37G5.woff2'), 'font');
    writeFileSync(join(root, 'outside.txt'), 'not to be served');
    const app = express();
    const files = new StaticFiles(folder);
    const routes = {
      home: '/clusters',
      isDemo: () => demo,
      pages: [/^\/(?:clusters|journal|jobs|diagnostics|documentation)(?:\/\d+)?$/],
    };
    app.use(securityHeaders(), files.handler());
    app.use('/guarded', pages(files, routes, new SignedInByHeader()));
    app.use(pages(files, routes, new OpenAccess()));
    await new Promise<void>((resolve) => {
      server = app.listen(0, '127.0.0.1', () => resolve());
    });
    client = new ApiClient((server.address() as { port: number }).port);
  });

  afterAll(() => {
    server.close();
    rmSync(root, { recursive: true, force: true });
  });

  it.each(['/clusters', '/journal', '/jobs', '/jobs/12', '/diagnostics', '/documentation'])(
    'are served at %s, with the nonce of the policy and never from a cache',
    async (path) => {
      const answer = await client.send('GET', path, HTML);
      expect(answer.status).toBe(200);
      expect(answer.headers['cache-control']).toBe('no-store');
      const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1];
      expect(answer.text).toBe(
        `<head></head><app ngCspNonce="${nonce}" data-session="open"></app><style nonce="${nonce}"></style>`,
      );
    },
  );

  it('tell a page that it shows the demo', async () => {
    demo = true;
    const answer = await client.send('GET', '/clusters', HTML);
    demo = false;
    expect(answer.text).toContain(' data-session="open" data-demo>');
  });

  it('redirect from / to /clusters, and return 404 for unknown paths', async () => {
    const start = await client.send('GET', '/', HTML);
    expect([start.status, start.headers.location]).toEqual([302, '/clusters']);
    const unknown = await client.send('GET', '/nothing', HTML);
    expect(unknown.status).toBe(404);
    expect(unknown.text).toContain('<app');
  });

  it.each(['/api/v1/x', '/docs', '/events', '/openapi.json', '/favicon.ico'])(
    'leave %s to others',
    async (path) => {
      expect((await client.send('GET', path, HTML)).text).not.toContain('<app');
    },
  );

  it.each([
    ['none', { 'sec-fetch-site': 'same-origin' }],
    ['none', { 'sec-fetch-site': 'none' }],
    ['unseen', { 'sec-fetch-site': 'cross-site' }],
    // Browsers do not send Sec-Fetch-Site over plain HTTP beyond loopback.
    ['unseen', {}],
    ['held', { 'x-signed-in': 'yes' }],
    ['held', { 'x-signed-in': 'yes', 'sec-fetch-site': 'cross-site' }],
  ])('have the session %s for the headers %j', async (session, headers) => {
    const answer = await client.send('GET', '/guarded/login', { headers: { ...HTML.headers, ...headers } });
    expect(answer.text).toContain(` data-session="${session}">`);
  });

  it('include the sign-in page even if no sign-in is required, since only the page sees the token in the fragment', async () => {
    const answer = await client.send('GET', '/login?next=%2Fjournal', HTML);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('data-session="open"')]);
  });

  it('are not served to programs or for writes', async () => {
    expect((await client.send('GET', '/clusters', { headers: { accept: 'application/json' } })).status).toBe(
      404,
    );
    expect((await client.send('POST', '/clusters', HTML)).status).toBe(404);
  });

  it('are served with their files, with Brotli if accepted, and cached forever if the name has a hash', async () => {
    const plain = await client.send('GET', '/main-ABCD1234.js');
    expect([plain.text, plain.headers['cache-control']]).toEqual([
      'plain',
      'public, max-age=31536000, immutable',
    ]);
    const packed = await client.send('GET', '/main-ABCD1234.js', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect([packed.text, packed.headers['content-encoding']]).toEqual(['packed', 'br']);
    const [part, handmade] = await Promise.all(
      ['/part-BX-u_t9U.js', '/no-handmade.js'].map((path) => client.send('GET', path)),
    );
    expect(part?.headers['cache-control']).toContain('immutable');
    expect(handmade?.headers['cache-control']).toBe('no-cache');
    const font = await client.send('GET', '/assets/inter-NRMW37G5.woff2');
    expect([font.headers['content-type'], font.headers['cache-control']]).toEqual([
      'font/woff2',
      'public, max-age=31536000, immutable',
    ]);
    const mark = await client.send('GET', '/assets/mark.svg');
    expect([mark.headers['content-type'], mark.headers['cache-control']]).toEqual([
      'image/svg+xml',
      'no-cache',
    ]);
  });

  it.each([
    '/index.html',
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/..%2foutside.txt',
    '/assets/../../outside.txt',
    '/assets/..%5c..%5coutside.txt',
    '/main-ABCD1234.js.br',
    '/assets',
    '/assets/',
    '/MAIN-ABCD1234.js',
    '/main-ABCD1234.js%00',
  ])('come with no file by the name %s', async (path) => {
    const answer = await client.send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('not to be served');
  });
});
