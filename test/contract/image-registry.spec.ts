import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HttpImageRegistry, RegistryError } from '../../backend/src/drivers/registry/index.js';
import { RegistryServer } from '../support/registry/registry-server.js';

const ANY = /./;
const RELEASE = /^v\d+\.\d+\.\d+$/;
/** More than the three pages of two hundred and fifty that a registry is read in. */
const MANY = Array.from({ length: 250 }, (_, index) => `v1.${index}.0`);

describe('a registry over HTTP', () => {
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
    new HttpImageRegistry({ environment, dockerHub: `http://${server.address}` }).tags(
      repository,
      wanted,
      signal,
    );
  const own = (): string => `${server.address}/kindest/node`;
  const failure = async (reading: Promise<unknown>): Promise<RegistryError> => {
    const error: unknown = await reading.then(
      () => new Error('it was read'),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(RegistryError);
    return error as RegistryError;
  };

  describe.each([
    ['Docker Hub', () => 'docker.io/kindest/node'],
    ['any other', own],
  ])('%s', (_name, repository) => {
    it('is read to its last page', async () => {
      expect(await read(repository())).toEqual(MANY);
    });

    it('gives what is wanted alone, each once', async () => {
      server.tags.set('kindest/node', ['latest', 'v1.34.0', 'v1.35.0-alpha.1', 'v1.34.0', 'v1.33.0']);
      expect(await read(repository(), { wanted: RELEASE })).toEqual(['v1.34.0', 'v1.33.0']);
    });

    it('that has no end is read so far', async () => {
      server.pageSize = 1;
      expect(await read(repository())).toEqual(MANY.slice(0, 10));
    });

    it.each([
      ['a repository that it does not know', 404, 'knows no such repository'],
      ['a repository for those who sign in', 401, 'sign in only'],
      ['a fault of its own', 502, 'answered 502'],
    ])('tells of %s', async (_what, status, words) => {
      server.instead = (_request, response) => answer(response, status, '{}');
      const error = await failure(read(repository()));
      expect(error.message).toContain(words);
      expect(error.restMs).toBeNull();
    });

    it.each([
      ['30', 30_000],
      ['999999999', 3_600_000],
      [new Date(Date.now() - 60_000).toUTCString(), 0],
      ['soon', null],
    ])('that was asked too often is left alone for as long as it says: %s', async (header, rest) => {
      server.instead = (_request, response) => {
        response.setHeader('retry-after', header);
        return answer(response, 429, '{}');
      };
      expect(await failure(read(repository()))).toMatchObject({ restMs: rest });
    });

    it.each([
      ['a page in place of a list', '<!doctype html><title>Sign in to the hotel</title>'],
      ['half a list', '{"tags":["v1.3'],
      ['a list of nothing known', '{"tags":"v1.34.0","results":{"name":"v1.34.0"}}'],
      ['nothing', ''],
      ['a bare word', 'null'],
    ])('that answers with %s is not believed', async (_what, body) => {
      server.instead = (_request, response) => answer(response, 200, body);
      expect((await failure(read(repository()))).message).toContain('something else than a list of tags');
    });

    it('that lists what is no text loses that alone', async () => {
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

    it('that answers without end is cut off', async () => {
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
      expect((await failure(read(repository()))).message).toContain('more than a list of tags can be');
      expect(sent).toBeLessThan(20_000_000);
    });

    it.each([
      ['never begins to answer', () => true],
      [
        'never ends its answer',
        (_request: unknown, response: ServerResponse) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.write('{"tags":[');
          return true;
        },
      ],
    ])('that %s is waited for no longer than allowed', async (_what, instead) => {
      server.instead = instead;
      const error = await failure(read(repository(), { signal: AbortSignal.timeout(100) }));
      expect(error.message).toContain('did not answer in time');
    });

    it('that breaks off is told as not reached', async () => {
      server.instead = (_request, response) => {
        response.destroy();
        return true;
      };
      expect((await failure(read(repository()))).message).toMatch(
        /^(docker\.io|127\.0\.0\.1:\d+) was not reached: /,
      );
    });

    it('is followed to another place of its own, and not to anybody else', async () => {
      server.instead = (request, response) => {
        if (request.url?.startsWith('/moved') === true || !request.url?.includes('tags')) return false;
        response.setHeader('location', `/moved${request.url}`);
        return answer(response, 307, '');
      };
      // Moved once, it answers as what it is: a registry that has no such page.
      expect((await failure(read(repository()))).message).toContain('knows no such repository');
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
        expect((await failure(read(repository()))).message).toContain('which is not followed');
      }
    });

    it('that redirects in a circle is left', async () => {
      server.instead = (request, response) => {
        if (!request.url?.includes('tags')) return false;
        response.setHeader('location', request.url);
        return answer(response, 302, '');
      };
      expect((await failure(read(repository()))).message).toContain('redirects in a circle');
      expect(server.requests.filter((line) => line.includes('tags'))).toHaveLength(4);
    });
  });

  describe('its token', () => {
    it('is fetched for nobody in particular, and used for every page', async () => {
      server.wantsToken = true;
      expect(await read(own())).toEqual(MANY);
      const asked = server.requests.filter((line) => line.includes('/token'));
      expect(asked).toEqual(['GET /token?scope=repository%3Akindest%2Fnode%3Apull&service=registry.test']);
    });

    it.each([
      ['Basic realm="x"', 'sign in only'],
      ['Bearer realm="not an address"', 'sign in only'],
      ['Bearer realm="http://elsewhere.invalid/token"', 'without TLS'],
    ])('is not fetched where it is offered as %s', async (challenge, words) => {
      server.instead = (request, response) => {
        if (!request.url?.includes('tags')) return false;
        response.setHeader('www-authenticate', challenge);
        return answer(response, 401, '{}');
      };
      expect((await failure(read(own()))).message).toContain(words);
    });

    it('that would break a header is none', async () => {
      server.wantsToken = true;
      server.instead = (request, response) =>
        request.url?.startsWith('/token') === true && answer(response, 200, '{"token":"a\\r\\nb: c"}');
      expect((await failure(read(own()))).message).toContain('gave no token');
    });
  });

  it('on a port where nobody listens was not reached', async () => {
    const gone = await RegistryServer.start();
    const { address } = gone;
    await gone.stop();
    expect((await failure(read(`${address}/kindest/node`))).message).toContain(`${address} was not reached`);
  });

  it('whose next page is another list is read no further', async () => {
    server.instead = (request, response) => {
      if (!request.url?.includes('kindest/node/tags')) return false;
      response.setHeader('link', '</v2/other/secret/tags/list>; rel="next"');
      return answer(response, 200, '{"tags":["v1.34.0"]}');
    };
    expect(await read(own())).toEqual(['v1.34.0']);
  });

  describe('through a proxy', () => {
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

    it('goes what goes outside, and its password is told nobody', async () => {
      const error = await failure(read('registry.invalid/kindest/node', { environment: environment() }));
      expect(seen).toEqual(['CONNECT registry.invalid:443']);
      expect(error.message).toContain('registry.invalid was not reached');
      expect(error.message).not.toContain('canary-password');
    });

    it('does not go what stays on this machine', async () => {
      expect(await read(own(), { environment: environment() })).toEqual(MANY);
      expect(seen).toEqual([]);
    });
  });
});

function answer(response: ServerResponse, status: number, body: string): true {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  return true;
}
