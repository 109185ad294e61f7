import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpImageRegistry } from '../../backend/src/drivers/registry/http-image-registry.js';
import { RegistryError } from '../../backend/src/drivers/registry/image-registry.js';
import { RegistryServer } from '../support/registry/registry-server.js';

const ANY = /./;
const RELEASE = /^v\d+\.\d+\.\d+$/;
/** Three pages. */
const MANY = Array.from({ length: 250 }, (_, index) => `v1.${index}.0`);

describe('HttpImageRegistry', () => {
  let server: RegistryServer;

  beforeEach(async () => {
    server = await RegistryServer.start();
    server.tags.set('kindest/node', MANY);
  });

  afterEach(() => server.stop());

  const read = (
    repository: string,
    { signal = AbortSignal.timeout(5000), wanted = ANY, environment = {} } = {},
  ): Promise<string[]> =>
    new HttpImageRegistry(environment, `http://${server.address}`).tags(repository, wanted, signal);
  const own = (): string => `${server.address}/kindest/node`;
  const failure = async (reading: Promise<unknown>): Promise<RegistryError> => {
    const error: unknown = await reading.then(
      () => new Error('the tags were listed'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RegistryError);
    return error as RegistryError;
  };

  describe.each([
    ['Docker Hub', () => 'docker.io/kindest/node'],
    ['another registry', own],
  ])('with %s', (_name, repository) => {
    it('reads all pages', async () => {
      expect(await read(repository())).toEqual(MANY);
    });

    it('returns matching tags without duplicates', async () => {
      server.tags.set('kindest/node', ['latest', 'v1.34.0', 'v1.35.0-alpha.1', 'v1.34.0', 'v1.33.0']);
      expect(await read(repository(), { wanted: RELEASE })).toEqual(['v1.34.0', 'v1.33.0']);
    });

    it('reads at most 10 pages', async () => {
      server.pageSize = 1;
      expect(await read(repository())).toEqual(MANY.slice(0, 10));
    });

    it.each([
      [404, 'The repository does not exist'],
      [401, 'requires a sign-in'],
      [502, 'responded with status 502'],
    ])('reports status %i', async (status, words) => {
      server.instead = (_request, response) => answer(response, status, '{}');
      const error = await failure(read(repository()));
      expect(error.message).toContain(words);
      expect(error.retryAfterMs).toBeNull();
    });

    it.each([
      ['30', 30_000],
      ['999999999', 3_600_000],
      [new Date(Date.now() - 60_000).toUTCString(), 0],
      ['soon', null],
    ])('reads Retry-After: %s', async (header, retryAfterMs) => {
      server.instead = (_request, response) => {
        response.setHeader('retry-after', header);
        return answer(response, 429, '{}');
      };
      expect(await failure(read(repository()))).toMatchObject({ retryAfterMs });
    });

    it.each([
      ['an HTML page', '<!doctype html><title>Sign in to the hotel</title>'],
      ['incomplete JSON', '{"tags":["v1.3'],
      ['no list of tags', '{"tags":"v1.34.0","results":{"name":"v1.34.0"}}'],
      ['an empty body', ''],
      ['null', 'null'],
    ])('rejects %s', async (_what, body) => {
      server.instead = (_request, response) => answer(response, 200, body);
      expect((await failure(read(repository()))).message).toContain('is not a list of tags');
    });

    it('skips entries that are not strings', async () => {
      server.instead = (_request, response) =>
        answer(
          response,
          200,
          JSON.stringify({
            tags: [1, null, 'v1.34.0', {}],
            results: [null, { name: 4 }, { name: 'v1.34.0' }],
          }),
        );
      expect(await read(repository())).toEqual(['v1.34.0']);
    });

    it('limits the size of a response', async () => {
      let sent = 0;
      server.instead = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = (): void => {
          sent += 65_536;
          if (!response.destroyed) response.write('x'.repeat(65_536), more);
        };
        more();
        return true;
      };
      expect((await failure(read(repository()))).message).toContain('is too large');
      expect(sent).toBeLessThan(20_000_000);
    });

    it.each([
      ['no response', () => true],
      [
        'an endless response',
        (_request: unknown, response: ServerResponse) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"tags":[');
          return true;
        },
      ],
    ])('times out on %s', async (_what, instead) => {
      server.instead = instead;
      const error = await failure(read(repository(), { signal: AbortSignal.timeout(100) }));
      expect(error.message).toContain('did not respond in time');
    });

    it('reports a closed connection', async () => {
      server.instead = (_request, response) => {
        response.destroy();
        return true;
      };
      expect((await failure(read(repository()))).message).toMatch(
        /^(docker\.io|127\.0\.0\.1:\d+) cannot be reached \(/,
      );
    });

    it('follows redirects only on the same host', async () => {
      server.instead = (request, response) => {
        if (request.url?.startsWith('/moved') === true || !request.url?.includes('tags')) return false;
        response.setHeader('location', `/moved${request.url}`);
        return answer(response, 307, '');
      };
      expect((await failure(read(repository()))).message).toContain('The repository does not exist');
      expect(server.requests.at(-1)).toMatch(/^GET \/moved\/v2\//);
      for (const location of [
        'http://elsewhere.invalid/v2/',
        'http://169.254.169.254/latest/meta-data',
        'file:///etc/passwd',
        'http://',
      ]) {
        server.instead = (request, response) => {
          if (!request.url?.includes('tags')) return false;
          response.setHeader('location', location);
          return answer(response, 302, '');
        };
        expect((await failure(read(repository()))).message).toContain('which is not allowed');
      }
    });

    it('limits the number of redirects', async () => {
      server.instead = (request, response) => {
        if (!request.url?.includes('tags')) return false;
        response.setHeader('location', request.url);
        return answer(response, 302, '');
      };
      expect((await failure(read(repository()))).message).toContain('redirected too often');
      expect(server.requests.filter((line) => line.includes('tags'))).toHaveLength(4);
    });
  });

  describe('an anonymous token', () => {
    it('is requested once for all pages', async () => {
      server.wantsToken = true;
      expect(await read(own())).toEqual(MANY);
      const requests = server.requests.filter((line) => line.includes('/token'));
      expect(requests).toEqual(['GET /token?scope=repository%3Akindest%2Fnode%3Apull&service=registry.test']);
    });

    it.each([
      ['Basic realm="x"', 'requires a sign-in'],
      ['Bearer realm="not a URL"', 'requires a sign-in'],
      ['Bearer realm="http://elsewhere.invalid/token"', 'without TLS'],
    ])('is not requested for the challenge %s', async (challenge, words) => {
      server.instead = (request, response) => {
        if (!request.url?.includes('tags')) return false;
        response.setHeader('www-authenticate', challenge);
        return answer(response, 401, '{}');
      };
      expect((await failure(read(own()))).message).toContain(words);
    });

    it('is rejected if it contains a line break', async () => {
      server.wantsToken = true;
      server.instead = (request, response) =>
        request.url?.startsWith('/token') === true && answer(response, 200, '{"token":"a\\r\\nb: c"}');
      expect((await failure(read(own()))).message).toContain('returned no valid token');
    });
  });

  it('reports a port without a server', async () => {
    const gone = await RegistryServer.start();
    const { address } = gone;
    await gone.stop();
    expect((await failure(read(`${address}/kindest/node`))).message).toContain(
      `${address} cannot be reached`,
    );
  });

  it('ignores a Link header to another list', async () => {
    server.instead = (request, response) => {
      if (!request.url?.includes('kindest/node/tags')) return false;
      response.setHeader('link', '</v2/other/secret/tags/list>; rel="next"');
      return answer(response, 200, '{"tags":["v1.34.0"]}');
    };
    expect(await read(own())).toEqual(['v1.34.0']);
  });

  describe('with a proxy', () => {
    let proxy: Server;
    const seen: string[] = [];

    beforeEach(async () => {
      seen.length = 0;
      proxy = createServer();
      proxy.on('connect', (request, socket) => {
        seen.push(`CONNECT ${request.url ?? ''}`);
        socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });

    afterEach(() => new Promise((resolve) => proxy.close(resolve)));

    const environment = (): Record<string, string> => ({
      https_proxy: `http://me:canary-password@127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    });

    it('sends external requests through it, without its password in errors', async () => {
      const error = await failure(read('registry.invalid/kindest/node', { environment: environment() }));
      expect(seen).toEqual(['CONNECT registry.invalid:443']);
      expect(error.message).toContain('Could not reach registry.invalid');
      expect(error.message).not.toContain('canary-password');
    });

    it('sends requests to loopback directly', async () => {
      expect(await read(own(), { environment: environment() })).toEqual(MANY);
      expect(seen).toEqual([]);
    });
  });
});

function answer(response: ServerResponse, status: number, body: string): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return true;
}
