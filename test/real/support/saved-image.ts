import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { blobOf, type RegistryServer, type ServedBlob } from '../../support/registry/registry-server.js';
import type { EngineName } from '../../transcripts/transcript.js';

const CHUNK = 1024 * 1024;

interface SavedImage {
  Config: string;
  Layers: string[];
}

interface Source {
  engine: EngineName;
  /** An image that the engine holds. */
  image: string;
  /** Where its parts are put while they are served. */
  folder: string;
}

/**
 * Serves an image that an engine holds, so that the same engine has to pull it.
 * @param tag what it is served as.
 */
export async function serveSavedImage(
  registry: RegistryServer,
  { engine, image, folder }: Source,
  { tag, bytesPerSecond }: { tag: string; bytesPerSecond: number },
): Promise<void> {
  const save = spawn(engine, ['save', ...(engine === 'podman' ? ['--format=docker-archive'] : []), image], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const unpack = spawn('tar', ['-xf', '-', '-C', folder], { stdio: ['pipe', 'ignore', 'ignore'] });
  await Promise.all([pipeline(save.stdout, unpack.stdin), once(unpack, 'close')]);
  const [saved] = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SavedImage[];
  if (!saved) throw new Error(`${engine} saved no image as ${image}`);
  const config = blobOf(marked(await readFile(join(folder, saved.Config), 'utf8')));
  const layers: ServedBlob[] = [];
  for (const layer of saved.Layers) layers.push(await wrapped(folder, layer));
  const layerType = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
  registry.serve({ tag, config, layers, layerType, bytesPerSecond });
}

/** Makes it another image: an engine that holds the one with this very config pulls nothing. */
function marked(config: string): string {
  const image = JSON.parse(config) as { config?: { Labels?: Record<string, string> | null } };
  image.config = { ...image.config, Labels: { ...image.config?.Labels, 'test.pull': randomUUID() } };
  return JSON.stringify(image);
}

/**
 * Wraps a layer without making it smaller, which would take longer than to serve it, and behind an empty
 * member with a name of its own: an engine that remembers a layer by its digest must not pass this one over.
 */
async function wrapped(folder: string, layer: string): Promise<ServedBlob> {
  const file = join(folder, `${randomUUID()}.gz`);
  const hash = createHash('sha256');
  const head = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255]),
    Buffer.from(randomUUID()),
    Buffer.from([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
  ]);
  await pipeline(
    createReadStream(join(folder, layer), { highWaterMark: CHUNK }),
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
  await rm(join(folder, layer));
  return {
    digest: `sha256:${hash.digest('hex')}`,
    size: (await stat(file)).size,
    open: () => createReadStream(file, { highWaterMark: CHUNK }),
  };
}
