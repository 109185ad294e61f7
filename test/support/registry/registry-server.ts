import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

export const MANIFEST_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

/** Something that a registry holds, by its digest. */
export interface ServedBlob {
  digest: string;
  size: number;
  open: () => Readable;
}

/** What a manifest says of an image. */
export interface ServedImage {
  config: { digest: string; size: number };
  layers: readonly { digest: string; size: number }[];
  layerType: string;
}

/**
 * A registry on loopback: as much of the distribution API as pulls and lists of tags need, and Docker Hub's
 * own interface for the latter. It can be slow, want a token, or be made to answer otherwise.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export class RegistryServer {
  /** Tags by repository, such as `kindest/node`. */
  readonly tags = new Map<string, string[]>();
  /** How many of them a page holds at most, whatever was asked for. */
  pageSize = 100;
  /** Whether lists are for those with a token only; anybody gets one. */
  wantsToken = false;
  /** How fast each blob is served. */
  bytesPerSecond = Infinity;
  /** Answers in place of the registry, where it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Every request so far: `GET /v2/`. */
  readonly requests: string[] = [];
  private readonly blobs = new Map<string, ServedBlob>();
  private manifest: { text: string; digest: string } | undefined;
  private readonly server = createServer((request, response) => {
    this.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (this.instead(request, response)) return;
    void this.answer(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<RegistryServer> {
    const registry = new RegistryServer();
    await new Promise<void>((resolve) => registry.server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** `127.0.0.1:<port>`: engines take plain HTTP from loopback without being told, or can be told to. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  offer(blob: ServedBlob): ServedBlob {
    this.blobs.set(blob.digest, blob);
    return blob;
  }

  /** Makes it the registry of this one image, whatever its name and tag are asked for as. */
  serve({ config, layers, layerType }: ServedImage): void {
    const text = JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        digest: config.digest,
        size: config.size,
      },
      layers: layers.map(({ digest, size }) => ({ mediaType: layerType, digest, size })),
    });
    this.manifest = { text, digest: `sha256:${createHash('sha256').update(text).digest('hex')}` };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${this.address}`);
    const headOnly = request.method === 'HEAD';
    response.setHeader('docker-distribution-api-version', 'registry/2.0');
    const hub = /^\/v2\/namespaces\/([^/]+)\/repositories\/([^/]+)\/tags$/.exec(url.pathname);
    if (hub) {
      this.hubPage(`${hub[1] ?? ''}/${hub[2] ?? ''}`, url, response);
      return;
    }
    const listed = /^\/v2\/(.+)\/tags\/list$/.exec(url.pathname)?.[1];
    if (listed !== undefined) {
      if (this.wantsToken && request.headers.authorization !== 'Bearer of-anybody') {
        const realm = `http://${this.address}/token`;
        response.setHeader('www-authenticate', `Bearer realm="${realm}",service="registry.test"`);
        send(response, 401, { errors: [{ code: 'UNAUTHORIZED' }] });
      } else this.tagPage(listed, url, response);
      return;
    }
    if (url.pathname === '/token') {
      send(response, 200, { token: 'of-anybody' });
      return;
    }
    if (url.pathname === '/v2/') {
      send(response, 200, {});
      return;
    }
    if (this.manifest && /^\/v2\/.+\/manifests\/[^/]+$/.test(url.pathname)) {
      response.writeHead(200, {
        'content-type': MANIFEST_TYPE,
        'content-length': Buffer.byteLength(this.manifest.text),
        'docker-content-digest': this.manifest.digest,
      });
      response.end(headOnly ? undefined : this.manifest.text);
      return;
    }
    const blob = this.blobs.get(/\/blobs\/(sha256:[0-9a-f]{64})$/.exec(url.pathname)?.[1] ?? '');
    if (!blob) {
      send(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] });
      return;
    }
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'docker-content-digest': blob.digest,
      'content-length': blob.size,
    });
    if (headOnly) response.end();
    else await pipeline(blob.open(), this.brake(), response);
  }

  private hubPage(repository: string, url: URL, response: ServerResponse): void {
    const tags = this.tags.get(repository);
    if (!tags) {
      send(response, 404, { message: 'httperror 404: object not found' });
      return;
    }
    const size = Math.min(Number(url.searchParams.get('page_size')), this.pageSize);
    const page = Number(url.searchParams.get('page') ?? 1);
    const more = page * size < tags.length;
    send(response, 200, {
      count: tags.length,
      // Where the next page is said to be is not to be believed.
      next: more ? `https://elsewhere.invalid/page/${page + 1}` : null,
      previous: null,
      results: tags
        .slice((page - 1) * size, page * size)
        .map((name) => ({ name, digest: `sha256:${'0'.repeat(64)}`, images: [{ architecture: 'amd64' }] })),
    });
  }

  private tagPage(repository: string, url: URL, response: ServerResponse): void {
    const tags = this.tags.get(repository);
    if (!tags) {
      send(response, 404, { errors: [{ code: 'NAME_UNKNOWN' }] });
      return;
    }
    const size = Math.min(Number(url.searchParams.get('n') ?? this.pageSize), this.pageSize);
    const from = tags.indexOf(url.searchParams.get('last') ?? '') + 1;
    const page = tags.slice(from, from + size);
    if (from + size < tags.length) {
      response.setHeader(
        'link',
        `</v2/${repository}/tags/list?n=${size}&last=${page.at(-1) ?? ''}>; rel="next"`,
      );
    }
    send(response, 200, { name: repository, tags: page });
  }

  private brake(): PassThrough {
    const { bytesPerSecond } = this;
    return new PassThrough({
      transform(chunk: Buffer, _encoding, done) {
        if (bytesPerSecond === Infinity) done(null, chunk);
        else void delay((chunk.length / bytesPerSecond) * 1000).then(() => done(null, chunk));
      },
    });
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
