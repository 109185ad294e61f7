import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sha256 } from '../images/archives.js';

const MANIFEST_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';

/** A blob or manifest with its digest. */
export interface ServedBlob {
  digest: string;
  size: number;
  open: () => Readable;
}

/** An image and how it is served. */
export interface ServedImage {
  /** Its tag in all repositories. */
  tag: string;
  config: ServedBlob;
  layers: readonly ServedBlob[];
  layerType: string;
  /** Speed of blobs, so that a pull has progress. */
  bytesPerSecond: number;
}

/**
 * A registry on loopback with the parts of the distribution API for pulls and tag lists, and Docker Hub's API for tag
 * lists. It can require a token or return other responses.
 * https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export class RegistryServer {
  /** Tags by repository, such as `kindest/node`. */
  readonly tags = new Map<string, string[]>();
  /** Maximum page size. */
  pageSize = 100;
  /** Whether lists require a token, which every client gets. */
  wantsToken = false;
  /** Responds instead of the registry if it returns true. */
  instead: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Every request so far: `GET /v2/`. */
  readonly requests: string[] = [];
  private image: (ServedImage & { manifest: ServedBlob }) | undefined;
  private readonly server = createServer((request, response) => {
    this.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (this.instead(request, response)) return;
    void this.reply(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<RegistryServer> {
    const registry = new RegistryServer();
    await new Promise<void>((resolve) => registry.server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** `127.0.0.1:<port>`: engines accept plain HTTP on loopback by default, or can be configured to. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Makes it the registry of this one image. */
  serve(image: ServedImage): void {
    const manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      config: { mediaType: 'application/vnd.docker.container.image.v1+json', ...described(image.config) },
      layers: image.layers.map((layer) => ({ mediaType: image.layerType, ...described(layer) })),
    });
    this.image = { ...image, manifest: blobOf(manifest) };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${this.address}`);
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
    const [, kind = '', reference = ''] = /\/(manifests|blobs)\/([\w.:-]+)$/.exec(url.pathname) ?? [];
    const found = kind === 'manifests' ? this.manifestOf(reference) : this.blobOf(reference);
    if (!this.image || !found) {
      send(response, 404, { errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] });
      return;
    }
    response.writeHead(200, {
      'content-type': kind === 'manifests' ? MANIFEST_TYPE : 'application/octet-stream',
      'docker-content-digest': found.digest,
      'content-length': found.size,
    });
    if (request.method === 'HEAD') response.end();
    else await pipeline(found.open(), braked(this.image.bytesPerSecond), response);
  }

  private manifestOf(reference: string): ServedBlob | undefined {
    const { tag, manifest } = this.image ?? {};
    return reference === tag || reference === manifest?.digest ? manifest : undefined;
  }

  private blobOf(digest: string): ServedBlob | undefined {
    return this.image && [this.image.config, ...this.image.layers].find((blob) => blob.digest === digest);
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
      // Clients must not trust this link.
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
}

export function blobOf(content: string | Buffer): ServedBlob {
  const bytes = Buffer.from(content as string);
  return { digest: `sha256:${sha256(bytes)}`, size: bytes.length, open: () => Readable.from([bytes]) };
}

function described({ digest, size }: ServedBlob): { digest: string; size: number } {
  return { digest, size };
}

/** Limits the speed of a stream, in 20 chunks per second. */
function braked(bytesPerSecond: number) {
  const most = Math.max(1, Math.round(bytesPerSecond / 20));
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += most) {
        const piece = chunk.subarray(at, at + most);
        await delay((piece.length / bytesPerSecond) * 1000);
        yield piece;
      }
    }
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
