import { describe, expect, it } from '@jest/globals';
import { environmentProxy } from './environment-proxy.js';

const PROXY = 'http://p:3128';
const SERVERS = [
  'https://api.shop.test',
  'https://shop.test',
  'https://10.1.2.3',
  'https://10.1.2.3:6443',
  'https://[2001:db8::1]',
] as const;
const [API, SHOP, IPV4, IPV4_PORT, IPV6] = SERVERS;

function proxyOf(server: string, environment: Record<string, string>): string | undefined {
  return environmentProxy(new URL(server), environment)?.href.replace(/\/$/, '');
}

/** The expectations are what `http.ProxyFromEnvironment` of Go 1.26 returns. */
describe('environmentProxy', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['*', [...SERVERS]],
    ['*:443', []],
    ['shop.test', [API, SHOP]],
    ['SHOP.test', [API, SHOP]],
    ['.shop.test', [API]],
    ['*.shop.test', [API]],
    ['shop.test:443', [API, SHOP]],
    ['shop.test:6443', []],
    [' other.test , shop.test ', [API, SHOP]],
    ['op.test', []],
    [':443', []],
    ['10.1.2.3', [IPV4, IPV4_PORT]],
    ['10.1.2.3:6443', [IPV4_PORT]],
    ['10.0.0.0/8', [IPV4, IPV4_PORT]],
    ['10.9.9.9/8', [IPV4, IPV4_PORT]],
    ['10.0.0.0/33', []],
    ['2001:db8::1', [IPV6]],
    ['2001:DB8:0::1', [IPV6]],
    ['[2001:db8::1]', []],
    ['[2001:db8::1]:443', [IPV6]],
    ['2001:db8::/32', [IPV6]],
  ])('connects directly to the servers of NO_PROXY=%j', (excluded, direct) => {
    const environment = { HTTPS_PROXY: PROXY, NO_PROXY: excluded };
    expect(SERVERS.filter((server) => proxyOf(server, environment) === undefined)).toEqual(direct);
  });

  it.each<[Record<string, string>, string, string | undefined]>([
    [{ HTTPS_PROXY: 'p:3128' }, API, PROXY],
    [{ HTTPS_PROXY: 'socks5h://p:1' }, API, 'socks5h://p:1'],
    [{ HTTPS_PROXY: 'http://u:w@p:1' }, API, 'http://u:w@p:1'],
    [{ HTTPS_PROXY: '', https_proxy: PROXY }, API, PROXY],
    [{ HTTPS_PROXY: PROXY, https_proxy: 'http://other:1' }, API, PROXY],
    [{ HTTPS_PROXY: PROXY, NO_PROXY: '', no_proxy: 'shop.test' }, API, undefined],
    [{ HTTPS_PROXY: PROXY }, 'http://shop.test', undefined],
    [{ HTTP_PROXY: PROXY }, 'http://shop.test', PROXY],
    [{ ALL_PROXY: PROXY }, API, undefined],
    [{ HTTPS_PROXY: PROXY }, 'https://localhost:6443', undefined],
    [{ HTTPS_PROXY: PROXY }, 'https://127.8.0.1', undefined],
    [{ HTTPS_PROXY: PROXY }, 'https://[::1]', undefined],
    [{ HTTPS_PROXY: PROXY }, 'https://a.localhost', PROXY],
    [{}, API, undefined],
  ])('with %j reaches %s through %s', (environment, server, proxy) => {
    expect(proxyOf(server, environment)).toBe(proxy);
  });
});
