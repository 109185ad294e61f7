import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { type EngineName } from './engines.js';

const MANIFEST_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';
const CHUNK = 1024 * 1024;

interface Blob {
  digest: string;
  size: number;
  file: string;
}

interface SavedImage {
  Config: string;
  Layers: string[];
}

/**
 * A registry on loopback that serves one image slowly: enough of the distribution protocol for both
 * engines to pull. https://distribution.github.io/distribution/spec/api/
 */
export class SlowRegistry {
  private readonly folder = mkdtempSync(join(tmpdir(), 'slipway-registry-'));
  private readonly blobs = new Map<string, Blob>();
  private manifest = '';
  private readonly server = createServer((request, response) => {
    void this.answer(request.url ?? '', request.method === 'HEAD', response).catch(() => response.destroy());
  });

  private constructor(private readonly bytesPerSecond: number) {}

  /**
   * @param image the image, which `engine` holds.
   * @param bytesPerSecond how fast each layer is served.
   */
  static async serving(image: string, engine: EngineName, bytesPerSecond: number): Promise<SlowRegistry> {
    const registry = new SlowRegistry(bytesPerSecond);
    try {
      await registry.take(image, engine);
      await new Promise<void>((resolve) => {
        registry.server.listen(0, '127.0.0.1', resolve);
      });
      return registry;
    } catch (error) {
      registry.close();
      throw error;
    }
  }

  get address(): string {
    const address = this.server.address();
    return `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async take(image: string, engine: EngineName): Promise<void> {
    const save = spawn(engine, ['save', ...(engine === 'podman' ? ['--format=docker-archive'] : []), image], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const unpack = spawn('tar', ['-xf', '-', '-C', this.folder], { stdio: ['pipe', 'ignore', 'ignore'] });
    await Promise.all([pipeline(save.stdout, unpack.stdin), once(unpack, 'close')]);
    const [saved] = JSON.parse(readFileSync(join(this.folder, 'manifest.json'), 'utf8')) as SavedImage[];
    if (!saved) throw new Error(`${engine} saved no image as ${image}`);
    const config = this.mark(join(this.folder, saved.Config));
    const layers: Blob[] = [];
    for (const layer of saved.Layers) layers.push(await this.compress(layer));
    this.manifest = JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST_TYPE,
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        digest: config.digest,
        size: config.size,
      },
      layers: layers.map(({ digest, size }) => ({
        mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
        digest,
        size,
      })),
    });
  }

  /** Makes it another image: an engine that holds the one with this very config pulls nothing. */
  private mark(file: string): Blob {
    const image = JSON.parse(readFileSync(file, 'utf8')) as {
      config?: { Labels?: Record<string, string> | null };
    };
    image.config = { ...image.config, Labels: { ...image.config?.Labels, 'test.pull': randomUUID() } };
    const text = JSON.stringify(image);
    writeFileSync(file, text);
    return this.offer({
      digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      size: Buffer.byteLength(text),
      file,
    });
  }

  /**
   * Wraps a layer without making it smaller, which would take longer than to serve it, and behind an empty
   * member with a name of its own: an engine that remembers a layer by its digest must not pass this one over.
   */
  private async compress(layer: string): Promise<Blob> {
    const file = join(this.folder, `${randomUUID()}.gz`);
    const hash = createHash('sha256');
    const head = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255]),
      Buffer.from(randomUUID()),
      Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]);
    await pipeline(
      createReadStream(join(this.folder, layer), { highWaterMark: CHUNK }),
      createGzip({ level: 0, chunkSize: CHUNK }),
      async function* (chunks: AsyncIterable<Buffer>) {
        hash.update(head);
        yield head;
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
    rmSync(join(this.folder, layer));
    return this.offer({ digest: `sha256:${hash.digest('hex')}`, size: statSync(file).size, file });
  }

  private offer(blob: Blob): Blob {
    this.blobs.set(blob.digest, blob);
    return blob;
  }

  private async answer(url: string, headOnly: boolean, response: ServerResponse): Promise<void> {
    response.setHeader('docker-distribution-api-version', 'registry/2.0');
    if (url === '/v2/') {
      response.end();
      return;
    }
    if (/^\/v2\/.+\/manifests\/[^/]+$/.test(url)) {
      const digest = `sha256:${createHash('sha256').update(this.manifest).digest('hex')}`;
      response.writeHead(200, {
        'content-type': MANIFEST_TYPE,
        'content-length': Buffer.byteLength(this.manifest),
        'docker-content-digest': digest,
      });
      response.end(headOnly ? undefined : this.manifest);
      return;
    }
    const blob = this.blobs.get(/\/blobs\/(sha256:[0-9a-f]{64})$/.exec(url)?.[1] ?? '');
    if (!blob) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': blob.size });
    if (headOnly) response.end();
    else await pipeline(createReadStream(blob.file, { highWaterMark: CHUNK }), this.brake(), response);
  }

  private brake(): PassThrough {
    const pause = (CHUNK / this.bytesPerSecond) * 1000;
    return new PassThrough({
      transform(chunk: Buffer, _encoding, done) {
        void delay(pause).then(() => done(null, chunk));
      },
    });
  }
}
