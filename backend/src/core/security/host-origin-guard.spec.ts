import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { readConfiguration } from '../config/index.js';
import {
  ADOPTED_CLUSTER_NAME,
  CLUSTER_NAME,
  IMAGE_REFERENCE,
  JOB_ID,
  NODE_IMAGE_TAG,
  RUNTIME_ID,
} from './grammar.js';
import { HostOriginGuard } from './host-origin-guard.js';

type Headers = Record<string, string>;

const DIGEST = `sha256:${'0'.repeat(64)}`;

function gateAt(port: number, allowed = ''): HostOriginGuard {
  const gate = new HostOriginGuard(readConfiguration({ APP_ALLOWED_HOSTS: allowed }));
  gate.open(port);
  return gate;
}

function request(method: string, headers: Headers, more: Partial<Request> = {}): Request {
  const rawHeaders = Object.entries(headers).flat();
  const rest = { path: '/', ...arrivedAt('127.0.0.1', 8080), ...more };
  return { method, headers, rawHeaders, ...rest } as Request;
}

function arrivedAt(localAddress: string, localPort: number): Partial<Request> {
  return { socket: { localAddress, localPort } as Request['socket'] };
}

const OURS = { host: '127.0.0.1:8080' };
const JSON_BODY = { 'content-type': 'application/json', 'content-length': '2' };

describe('HostOriginGuard', () => {
  const gate = gateAt(8080, 'slipway.test');
  const codeOf = (work: () => void): string => {
    try {
      work();
    } catch (error) {
      return (error as { code: string }).code;
    }
    return 'let in';
  };
  const check = (method: string, headers: Headers, more?: Partial<Request>): string =>
    codeOf(() => gate.checkRequest(request(method, headers, more)));
  const checkUpgrade = (headers: Headers): string => codeOf(() => gate.checkUpgrade(request('GET', headers)));

  it.each(['127.0.0.1:8080', 'localhost:8080', 'LOCALHOST:8080', '[::1]:8080', 'slipway.test'])(
    'lets in the host %s',
    (host) => expect(check('GET', { host })).toBe('let in'),
  );

  it.each([
    ['192.0.2.7:8080', '192.0.2.7', 8080],
    ['192.0.2.7:8080', '::ffff:192.0.2.7', 8080],
    ['[2001:db8::7]:8080', '2001:db8::7', 8080],
    ['192.0.2.7', '192.0.2.7', 80],
  ])('lets in the host %s where the request arrived at %s, port %d', (host, address, port) => {
    expect(check('GET', { host }, arrivedAt(address, port))).toBe('let in');
    expect(check('DELETE', { host, origin: `http://${host}` }, arrivedAt(address, port))).toBe('let in');
    expect(check('GET', { host }, arrivedAt('192.0.2.8', port))).toBe('forbidden_host');
    expect(check('GET', { host }, arrivedAt(address, 8081))).toBe('forbidden_host');
  });

  it.each([
    ['', 'localhost:18080', 'set APP_ALLOWED_HOSTS=localhost:18080 and restart Slipway.'],
    ['', '[2001:db8::7]', 'set APP_ALLOWED_HOSTS=[2001:db8::7] and restart Slipway.'],
    ['slipway.test', 'localhost:18080', 'add localhost:18080 to the names in APP_ALLOWED_HOSTS'],
    ['', 'a"<b>', 'or add the name to APP_ALLOWED_HOSTS'],
  ])('says how to allow a host, with the hosts %j: %s', (allowed, host, fix) => {
    const other = gateAt(8080, allowed);
    expect(() => other.checkRequest(request('GET', { host }))).toThrow(fix);
  });

  it.each([
    '127.0.0.1',
    '127.0.0.1:8081',
    'evil.example:8080',
    'localhost.evil.example:8080',
    'localhost:8080.evil.example',
    'localhost:08080',
    'user@localhost:8080',
    'slipway.test:8080',
    '',
  ])('keeps out the host %j, for reads too', (host) => {
    expect(check('GET', { host })).toBe('forbidden_host');
    expect(checkUpgrade({ host })).toBe('forbidden_host');
  });

  it('rejects a request with two Host headers or none', () => {
    const twice = ['Host', '127.0.0.1:8080', 'host', '127.0.0.1:8080'];
    expect(check('GET', OURS, { rawHeaders: twice })).toBe('forbidden_host');
    expect(check('GET', {})).toBe('malformed_request');
  });

  it('accepts a host without port only if it listens on port 80', () => {
    const standard = gateAt(80);
    expect(codeOf(() => standard.checkRequest(request('GET', { host: 'localhost' })))).toBe('let in');
  });

  describe.each(['GET', 'HEAD', 'OPTIONS'])('%s', (method) => {
    const data = [
      '/api/v1/diagnostics/bundle',
      '/API/v1/clusters',
      '/api',
      '/openapi.json',
      '/openapi.yaml',
      '/readme/docs/a.png',
    ];
    const pages = ['/', '/clusters', '/log-board', '/apiary'];

    it.each<Headers>([
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ])('of data does not come from another site: %j', (headers) => {
      for (const path of data) {
        expect(check(method, { ...OURS, ...headers }, { path })).toBe('forbidden_origin');
      }
      for (const path of pages) expect(check(method, { ...OURS, ...headers }, { path })).toBe('let in');
    });

    it('allows data requests from own pages, the address bar and programs', () => {
      const senders: Headers[] = [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }];
      for (const headers of senders) {
        for (const path of data) expect(check(method, { ...OURS, ...headers }, { path })).toBe('let in');
      }
    });
  });

  describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
    it('is allowed from own pages and from programs', () => {
      expect(check(method, { ...OURS, ...JSON_BODY })).toBe('let in');
      expect(check(method, { ...OURS, ...JSON_BODY, origin: 'http://127.0.0.1:8080' })).toBe('let in');
      expect(check(method, { ...OURS, ...JSON_BODY, 'sec-fetch-site': 'same-origin' })).toBe('let in');
    });

    it.each<Headers>([
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:9001' },
      { origin: 'http://127.0.0.1:8080/path' },
      { origin: 'file://' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ])('does not come from elsewhere: %j', (headers) => {
      expect(check(method, { ...OURS, ...JSON_BODY, ...headers })).toBe('forbidden_origin');
    });

    it('requires JSON, YAML or an empty body', () => {
      expect(check(method, OURS)).toBe('let in');
      expect(check(method, { ...OURS, 'content-type': 'application/json; charset=utf-8' })).toBe('let in');
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        '',
      ]) {
        expect(check(method, { ...OURS, 'content-type': type, 'content-length': '9' })).toBe(
          'unsupported_media_type',
        );
      }
      expect(check(method, { ...OURS, 'transfer-encoding': 'chunked' })).toBe('unsupported_media_type');
    });
  });

  it('accepts an archive only on routes that expect one', () => {
    const tar = { ...OURS, 'content-type': 'application/x-tar', 'content-length': '9' };
    const at = (path: string): string => check('POST', tar, { path });
    expect(at('/api/v1/clusters/staging/images/upload')).toBe('let in');
    expect(at('/API/v1/clusters/staging/images/upload/')).toBe('let in');
    expect(at('/api/v1/clusters/staging/images/load')).toBe('unsupported_media_type');
    expect(at('/api/v1/clusters/a/images/upload/more')).toBe('unsupported_media_type');
    const bytes = { ...tar, 'content-type': 'application/octet-stream' };
    const file = '/api/v1/clusters/staging/pods/shop/web/files/content';
    expect(check('PUT', bytes, { path: file })).toBe('let in');
    expect(check('PUT', bytes, { path: `${file}/more` })).toBe('unsupported_media_type');
    expect(check('PUT', tar, { path: file })).toBe('unsupported_media_type');
  });

  it('allows links from other sites, but no WebSocket', () => {
    expect(check('GET', { ...OURS, 'sec-fetch-site': 'cross-site' })).toBe('let in');
    expect(checkUpgrade({ ...OURS, 'sec-fetch-site': 'cross-site' })).toBe('forbidden_origin');
    expect(checkUpgrade({ ...OURS, origin: 'https://evil.example' })).toBe('forbidden_origin');
    expect(checkUpgrade({ ...OURS, origin: 'http://127.0.0.1:8080' })).toBe('let in');
    expect(checkUpgrade(OURS)).toBe('let in');
  });
});

describe('the grammars', () => {
  const hostile = ['', '-a', '--help', '../x', 'a/b', 'a b', 'a\nb', 'a;b', '$(x)', 'ä', 'a\0', 'a\n'];

  it.each([
    [
      'cluster names',
      CLUSTER_NAME,
      ['a', 'dev', 'a-1', '0', 'x'.repeat(40)],
      ['A', 'a-', 'a.b', 'a_b', 'x'.repeat(41)],
    ],
    [
      'adopted names',
      ADOPTED_CLUSTER_NAME,
      ['a.b', 'x'.repeat(128)],
      ['.', '..', '.a', 'A', 'x'.repeat(129)],
    ],
    [
      'image tags',
      NODE_IMAGE_TAG,
      ['v1.34.4', `v1.34.4@${DIGEST}`],
      ['1.34.4', 'v1.34', 'latest', 'v1.34.4@sha256:0', 'v1.34.4-rc.1'],
    ],
    ['runtimes', RUNTIME_ID, ['docker', 'podman'], ['Docker', 'docker1']],
    ['job ids', JOB_ID, ['1', '999999999999999'], ['0', '01', '1.5', '1e3', '9'.repeat(16)]],
  ])('of %s', (_, pattern, good, bad) => {
    for (const text of good) expect([text, pattern.test(text)]).toEqual([text, true]);
    for (const text of [...bad, ...hostile]) expect([text, pattern.test(text)]).toEqual([text, false]);
  });

  it('allow folders in image references, but not ".."', () => {
    const good = ['app', 'shop/web:1.4.0', 'localhost:5000/a/b:x', 'docker.io/library/a_b:D-1'];
    const bad = [
      'A',
      'a:',
      'a//b:x',
      'a:-x',
      'a@sha256:0',
      '/a',
      'a/../b',
      `a:${'x'.repeat(129)}`,
      'a'.repeat(401),
    ];
    for (const text of good) expect([text, IMAGE_REFERENCE.test(text)]).toEqual([text, true]);
    for (const text of [...bad, ...hostile.filter((one) => one !== 'a/b')]) {
      expect([text, IMAGE_REFERENCE.test(text)]).toEqual([text, false]);
    }
  });
});
