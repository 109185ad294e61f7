import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../errors/index.js';
import { clientOf } from './client.js';
import { TrustedProxies } from './trusted-proxies.js';

const proxies = new TrustedProxies(['127.0.0.1', '10.1.0.0/16', 'fd00::/8']);

function requestFrom(remoteAddress: string, headers: Record<string, string>): IncomingMessage {
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

describe('TrustedProxies', () => {
  it.each([
    ['the one that the proxy saw', '127.0.0.1', { 'x-forwarded-for': '192.0.2.7' }, '192.0.2.7', 'http'],
    [
      'the last one that is no proxy: earlier ones may be made up',
      '10.1.2.3',
      { 'x-forwarded-for': '198.51.100.1, 192.0.2.7, fd00::9' },
      '192.0.2.7',
      'http',
    ],
    [
      'encrypted where the nearest proxy says so',
      'fd00::1',
      { 'x-forwarded-for': '[2001:db8::7]:4711', 'x-forwarded-proto': 'http, https' },
      '2001:db8::7',
      'https',
    ],
    ['the proxy where it does not tell', '127.0.0.1', { via: '1.1 proxy' }, '127.0.0.1', 'http'],
    [
      'the proxy where it tells no address',
      '127.0.0.1',
      { 'x-forwarded-for': 'unknown' },
      '127.0.0.1',
      'http',
    ],
    ['the other end without a proxy', '192.0.2.9', {}, '192.0.2.9', 'http'],
  ])('is %s', (_what, peer, headers, address, protocol) => {
    const request = requestFrom(peer, headers);
    proxies.identify(request);
    expect(clientOf(request)).toEqual({ address, protocol });
  });

  it.each(['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host'])(
    'is unknown where %s comes from an address that is not trusted',
    (header) => {
      const identify = (): void => proxies.identify(requestFrom('192.0.2.9', { [header]: '127.0.0.1' }));
      expect(identify).toThrow(DomainError);
      expect(identify).toThrow(/192\.0\.2\.9.*APP_TRUSTED_PROXIES/);
    },
  );
});
