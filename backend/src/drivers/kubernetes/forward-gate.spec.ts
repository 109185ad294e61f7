import type { IncomingMessage } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import { ForwardGate } from './forward-gate.js';

const LINK = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

function requestWith(
  headers: Record<string, string> = {},
  { url = '/', method = 'GET' } = {},
): IncomingMessage {
  const all = { host: 'shop.localhost:4711', ...headers };
  return { headers: all, rawHeaders: Object.entries(all).flat(), url, method } as unknown as IncomingMessage;
}

describe('ForwardGate', () => {
  const gate = new ForwardGate('shop', 4711);
  const follow = (link: string, headers = {}): ReturnType<ForwardGate['check']> =>
    gate.check(requestWith(headers, { url: link.slice(gate.origin.length) }));
  const cookie = follow(gate.issueLink())?.headers?.['Set-Cookie']?.split(';')[0] ?? '';

  it('accepts a request with the cookie, also among other cookies with its name', () => {
    expect(gate.check(requestWith({ cookie }))).toBeNull();
    expect(gate.check(requestWith({ cookie: `slipway_forward_4711=x; ${cookie}; a=1` }))).toBeNull();
  });

  it.each([
    ['no cookie', {}],
    ['a wrong cookie', { cookie: 'slipway_forward_4711=x' }],
    ['the cookie of another port', { cookie: cookie.replace('4711', '4712') }],
  ])('rejects a request with %s', (_what, headers) => {
    expect(gate.check(requestWith(headers))).toMatchObject({ status: 403 });
  });

  it.each<[string, Record<string, string>, { method?: string; url?: string }]>([
    ['a foreign Host', { host: 'evil.example' }, {}],
    ['127.0.0.1, which other targets use too', { host: '127.0.0.1:4711' }, {}],
    ['a Host without the port', { host: 'shop.localhost' }, {}],
    ['an absolute URL in the request line', {}, { url: 'http://evil.example/' }],
    ['a foreign Origin', { origin: 'http://evil.example' }, {}],
    ['the Origin of another port of this machine', { origin: 'http://127.0.0.1:1' }, {}],
    ['an opaque Origin', { origin: 'null' }, {}],
    ['an image on a foreign page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, {}],
    [
      'a script at another port of this machine',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      {},
    ],
    ['a frame on a foreign page', { ...LINK, 'sec-fetch-dest': 'iframe' }, {}],
    ['a form on a foreign page', LINK, { method: 'POST' }],
  ])('rejects %s, also with the cookie, and says what to do', (_what, headers, request) => {
    expect(gate.check(requestWith({ cookie, ...headers }, request))).toMatchObject({
      status: 403,
      text: expect.stringContaining('its link in Slipway'),
    });
  });

  it('rejects two Host headers', () => {
    const request = requestWith({ cookie });
    request.rawHeaders.push('Host', 'shop.localhost:4711');
    expect(gate.check(request)).toMatchObject({ status: 403 });
  });

  it('accepts links on other pages, and forms of own pages with an opaque Origin', () => {
    expect(gate.check(requestWith({ cookie, ...LINK }))).toBeNull();
    const form = { ...LINK, 'sec-fetch-site': 'same-origin', origin: 'null' };
    expect(gate.check(requestWith({ cookie, ...form }, { method: 'POST' }))).toBeNull();
  });

  it('accepts a link once', () => {
    const link = gate.issueLink();
    expect(follow(link)).toMatchObject({ status: 303 });
    expect(follow(link)).toMatchObject({ status: 403, text: expect.stringContaining('already used') });
    // A browser with the cookie still gets to the page.
    expect(follow(link, { cookie })?.headers).toEqual({ Location: `${gate.origin}/` });
  });

  it('accepts a link for a minute', () => {
    const link = gate.issueLink();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
    try {
      expect(follow(link)).toMatchObject({ status: 403 });
    } finally {
      clock.mockRestore();
    }
  });

  it('rejects the link of another port-forward, from another site, and with another method', () => {
    const other = new ForwardGate('shop', 4711);
    expect(follow(other.issueLink())).toMatchObject({ status: 403 });
    const link = gate.issueLink();
    expect(follow(link, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toMatchObject({
      status: 403,
    });
    const url = link.slice(gate.origin.length);
    expect(gate.check(requestWith({}, { url, method: 'POST' }))).toMatchObject({ status: 403 });
    expect(follow(link)).toMatchObject({ status: 303 });
  });

  it('limits the number of links', () => {
    const first = gate.issueLink();
    for (let count = 0; count < 100; count += 1) gate.issueLink();
    expect(follow(first)).toMatchObject({ status: 403 });
  });
});
