import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

interface Blob {
  digest: string;
  content: Buffer;
}

interface Options {
  layers: number;
  layerBytes: number;
  /** How fast each layer is served. */
  bytesPerSecond: number;
}

/**
 * A registry with one image, `test/image:v1`, that it serves slowly, so that a pull has something to show.
 * It speaks as much of the distribution API as a pull needs.
 */
export class LoopbackRegistry {
  private constructor(
    private readonly server: Server,
    private readonly options: Options,
    private readonly blobs: Map<string, Blob>,
    private readonly manifest: Blob,
  ) {}

  static async start(options: Options): Promise<LoopbackRegistry> {
    const blobs = new Map<string, Blob>();
    const add = (content: Buffer): Blob => {
      const blob = { digest: `sha256:${createHash('sha256').update(content).digest('hex')}`, content };
      blobs.set(blob.digest, blob);
      return blob;
    };
    // A layer must be a tar archive; random content in it defeats every cache.
    const layers = Array.from({ length: options.layers }, (_, index) =>
      add(tarOf(`layer-${index}`, randomBytes(options.layerBytes))),
    );
    const config = add(
      Buffer.from(
        JSON.stringify({
          architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
          os: 'linux',
          config: {},
          rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
        }),
      ),
    );
    const manifest = add(
      Buffer.from(
        JSON.stringify({
          schemaVersion: 2,
          mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
          config: {
            mediaType: 'application/vnd.docker.container.image.v1+json',
            size: config.content.length,
            digest: config.digest,
          },
          layers: layers.map(({ digest, content }) => ({
            mediaType: 'application/vnd.docker.image.rootfs.diff.tar',
            size: content.length,
            digest,
          })),
        }),
      ),
    );
    const server = createServer((request, response) => {
      void registry.answer(request.method ?? '', request.url ?? '', response).catch(() => response.destroy());
    });
    const registry = new LoopbackRegistry(server, options, blobs, manifest);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** `127.0.0.1:<port>`: Docker takes plain HTTP from loopback without being told. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get image(): string {
    return `${this.address}/test/image:v1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(method: string, url: string, response: ServerResponse): Promise<void> {
    response.setHeader('docker-distribution-api-version', 'registry/2.0');
    if (url === '/v2/') return void response.end('{}');
    const [, kind = '', reference = ''] =
      /^\/v2\/test\/image\/(manifests|blobs)\/([\w.:-]+)$/.exec(url) ?? [];
    const blob = kind === 'manifests' && reference === 'v1' ? this.manifest : this.blobs.get(reference);
    if (!blob) {
      response.writeHead(404, { 'content-type': 'application/json' });
      return void response.end(
        JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] }),
      );
    }
    response.writeHead(200, {
      'content-type':
        kind === 'manifests'
          ? 'application/vnd.docker.distribution.manifest.v2+json'
          : 'application/octet-stream',
      'docker-content-digest': blob.digest,
      'content-length': blob.content.length,
    });
    if (method === 'HEAD') return void response.end();
    const piece = Math.max(1, Math.round(this.options.bytesPerSecond / 20));
    for (let at = 0; at < blob.content.length && !response.destroyed; at += piece) {
      response.write(blob.content.subarray(at, at + piece));
      if (blob.content.length > piece) await delay(50);
    }
    response.end();
  }
}

/** One file as a tar archive (ustar). */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  const put = (offset: number, text: string): void => void header.write(text, offset, 'latin1');
  put(0, name);
  put(100, '0000644\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, `${content.length.toString(8).padStart(11, '0')}\0`);
  put(136, '00000000000\0');
  put(148, '        ');
  put(156, '0');
  put(257, 'ustar\u000000');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
  return Buffer.concat([header, content, padding, Buffer.alloc(1024)]);
}
