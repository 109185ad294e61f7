import { describe, expect, it } from '@jest/globals';
import { readStart, type RequestHead } from './forward-requests.js';
import { checkPlainRequest, type RuledForward } from './forward-rule.js';

type Headers = Record<string, string>;

const OWN = 'http://shop.localhost:4711';
const TCP: RuledForward = { port: 4711, hosts: ['shop.example'], isPlain: true, gate: null };
const gate = {
  originFor: (browser = '') => (browser.includes('Version/') ? 'http://127.0.0.1:4711' : OWN),
  issueLink: (_browser?: string, path = '/') => `${OWN}${path}?key`,
};
const PAGE = { ...TCP, gate };
const CHROME = 'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };

function head(headers: Headers, line = 'GET /a HTTP/1.1'): RequestHead {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = readStart(Buffer.from(`${line}\r\n${lines.join('')}\r\n`));
  if (typeof start !== 'object') throw new Error(start);
  return start;
}

describe('checkPlainRequest', () => {
  it.each<[string, Headers, string?]>([
    ['127.0.0.1', { host: '127.0.0.1:4711' }],
    ['localhost', { host: 'LOCALHOST:4711' }],
    ['an IPv6 address', { host: '[::1]:4711' }],
    ['a host that was added', { host: 'shop.example:4711' }],
    ['a host that was added, as a header of curl', { host: 'shop.example' }],
    ['no host, with HTTP/1.0', {}, 'GET / HTTP/1.0'],
    ['an absolute URL of this machine', { host: 'localhost:4711' }, 'GET http://localhost:4711/ HTTP/1.1'],
    [
      'its own page',
      { host: 'localhost:4711', origin: 'http://localhost:4711', 'sec-fetch-site': 'same-origin' },
    ],
    ['a WebSocket client of the command line', { host: '127.0.0.1:4711', upgrade: 'websocket' }],
    ['the address bar', { host: '127.0.0.1:4711', ...NAVIGATION }],
  ])('lets through a request with %s', (_what, headers, ...[line]) => {
    expect(checkPlainRequest(head(headers, line), TCP)).toBeNull();
  });

  it.each<[string, Headers, string?]>([
    ['a foreign host (DNS rebinding)', { host: 'evil.example:4711' }],
    ['a host below one that was added', { host: 'a.shop.example:4711' }],
    ['another port', { host: '127.0.0.1:4712' }],
    ['a host like an address', { host: '127.0.0.1.evil.example:4711' }],
    ['a user in the host', { host: 'localhost@evil.example:4711' }],
    ['no host', {}],
    ['an empty host', { host: '' }],
    ['two hosts', { host: 'localhost:4711', Host: 'evil.example' }],
    ['a foreign absolute URL', { host: 'localhost:4711' }, 'GET http://evil.example/ HTTP/1.1'],
    ['a foreign host, with HTTP/1.0', { host: 'evil.example' }, 'GET / HTTP/1.0'],
    ['a foreign Origin and no host, with HTTP/1.0', { origin: 'http://evil.example' }, 'POST / HTTP/1.0'],
    ['a foreign absolute URL and no host, with HTTP/1.0', {}, 'GET http://evil.example/ HTTP/1.0'],
    ['a lower-case method and a foreign host', { host: 'evil.example' }, 'get / HTTP/1.1'],
    ['a foreign Origin', { host: 'localhost:4711', origin: 'http://evil.example' }],
    ['the Origin of another port', { host: 'localhost:4711', origin: 'http://localhost:1' }],
    ['an opaque Origin', { host: 'localhost:4711', origin: 'null' }],
    [
      'a form of a foreign page',
      { host: 'localhost:4711', 'sec-fetch-site': 'cross-site' },
      'POST / HTTP/1.1',
    ],
    ['a page of the same site', { host: 'localhost:4711', 'sec-fetch-site': 'same-site' }],
    ['a foreign page, to a host that was added', { host: 'shop.example', 'sec-fetch-site': 'cross-site' }],
    ['a service worker', { host: 'localhost:4711', 'service-worker': 'script' }],
  ])('refuses %s, and says so', (_what, headers, ...[line]) => {
    const text = expect.stringContaining('Slipway did not forward the request.') as unknown;
    expect(checkPlainRequest(head(headers, line), TCP)).toMatchObject({ status: 403, text });
    expect(checkPlainRequest(head(headers, line), PAGE)).toMatchObject({ status: 403, text });
  });

  it('says what to do about a host', () => {
    const { text } = checkPlainRequest(head({ host: 'other.example' }), TCP) ?? {};
    expect(text).toContain('Use 127.0.0.1:4711, or add the host to its hosts.');
  });

  it('redirects a browser to the page, and admits it if its user typed the address', () => {
    const at = (headers: Headers): unknown =>
      checkPlainRequest(head({ host: 'localhost:4711', ...headers }), PAGE)?.headers?.['Location'];
    expect(at(NAVIGATION)).toBe(`${OWN}/a?key`);
    expect(at({ ...NAVIGATION, 'sec-fetch-site': 'cross-site' })).toBe(`${OWN}/a`);
    expect(at({ accept: 'text/html,*/*', 'user-agent': CHROME })).toBe(`${OWN}/a`);
    expect(at({ ...NAVIGATION, 'user-agent': 'Mozilla/5.0 Version/18.0 Safari/605' })).toBe(`${OWN}/a?key`);
    // Neither programs nor what a page loads.
    expect(at({ accept: '*/*', 'user-agent': 'curl/8.5' })).toBeUndefined();
    expect(at({ 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' })).toBeUndefined();
    // A host that was added is that of an Ingress.
    expect(checkPlainRequest(head({ host: 'shop.example:4711', ...NAVIGATION }), PAGE)).toBeNull();
  });

  it('refuses everything but a browser, which needs the link, if only the page is forwarded', () => {
    const only = { ...PAGE, isPlain: false };
    expect(checkPlainRequest(head({ host: 'localhost:4711' }), only)).toMatchObject({ status: 403 });
    expect(checkPlainRequest(head({}, 'GET / HTTP/1.0'), only)).toMatchObject({ status: 403 });
    expect(checkPlainRequest(head({ host: 'localhost:4711', ...NAVIGATION }), only)?.headers).toEqual({
      Location: `${OWN}/a`,
    });
  });
});
