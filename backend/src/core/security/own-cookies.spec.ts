import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { serveBelow } from './base-path.js';
import { isOwnCookie, ownCookies, readOwnCookie } from './own-cookies.js';

function requestWith(cookie?: string, encrypted = false): IncomingMessage {
  const socket = { localPort: 8080, remoteAddress: '127.0.0.1', encrypted };
  return { headers: { cookie }, socket } as unknown as IncomingMessage;
}

describe('own cookies', () => {
  const value = 'secret';
  const expires = new Date('2030-01-01T00:00:00Z');
  const other = { port: 8081, path: '' };

  it('have the ports of both applications in their names', () => {
    expect(ownCookies(requestWith(), 'session', { value, expires, other })).toEqual([
      'slipway_session_8080=secret; Path=/; Expires=Tue, 01 Jan 2030 00:00:00 GMT; HttpOnly; SameSite=Strict',
      'slipway_session_8081=secret; Path=/; Expires=Tue, 01 Jan 2030 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
  });

  it('are set once if there is no other application', () => {
    for (const port of [0, 8080]) {
      expect(
        ownCookies(requestWith(), 'browser', { value, expires, other: { port, path: '' } }),
      ).toHaveLength(1);
    }
  });

  // Case A05: Safari drops Secure cookies and those with the prefix __Host- of http://localhost, which others accept.
  it.each(['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])('are not Secure at http://%s', (host) => {
    const request = requestWith();
    request.headers.host = host;
    for (const cookie of ownCookies(request, 'session', { value, expires, other })) {
      expect(cookie).toMatch(/^slipway_session_808[01]=/);
      expect(cookie).not.toMatch(/;\s*(Secure|Domain|Partitioned)/i);
    }
  });

  it('are Secure and have the prefix __Host- with https', () => {
    for (const cookie of ownCookies(requestWith(undefined, true), 'session', {
      value,
      expires,
      other,
    })) {
      expect(cookie).toMatch(/^__Host-slipway_session_808[01]=secret; Path=\/; .*; Secure; /);
    }
  });

  it.each([
    [false, ''],
    [true, '__Secure-'],
  ])('have the paths of both applications, and no __Host- (https: %s)', (encrypted, prefix) => {
    const server = new EventEmitter() as Server;
    serveBelow(server, '/slipway');
    const request = requestWith(`${prefix}slipway_session_8080_path=a; slipway_session_8080=b`, encrypted);
    server.emit('request', request);
    const cookies = ownCookies(request, 'session', { value, expires, other: { port: 8081, path: '/logs' } });
    expect(cookies.map((cookie) => cookie.split('; ').slice(0, 2))).toEqual([
      [`${prefix}slipway_session_8080_path=secret`, 'Path=/slipway'],
      [`${prefix}slipway_session_8081_path=secret`, 'Path=/logs'],
    ]);
    expect(readOwnCookie(request, 'session')).toBe('a');
  });

  it.each([
    ['its own', 'slipway_session_8080=a', 'a'],
    ['its own among others', 'x=1; slipway_session_8081=b; slipway_session_8080=a; =c', 'a'],
    ['none of another port', 'slipway_session_8081=b', undefined],
    ['none of a server without the port', 'slipway_session=b', undefined],
    ['none of https', '__Host-slipway_session_8080=b', undefined],
    ['none where there are two', 'slipway_session_8080=a; slipway_session_8080=b', undefined],
    ['no empty cookie', 'slipway_session_8080=', undefined],
    ['none at all', undefined, undefined],
  ])('of a request: %s', (_what, cookie, found) => {
    expect(readOwnCookie(requestWith(cookie), 'session')).toBe(found);
  });

  it.each([
    ['slipway_session_8080=a', true],
    [' Slipway_Browser_8080=a', true],
    ['__Host-slipway_session_8080=a; Secure', true],
    ['slipway_forward_40000=a', true],
    ['=slipway_session_8080=a', true],
    ['slipway_session_8080', true],
    ['grafana_session=slipway_', false],
    ['my_slipway_=a', false],
  ])('are recognized by their names: %s', (pair, isOwn) => {
    expect(isOwnCookie(pair)).toBe(isOwn);
  });
});
