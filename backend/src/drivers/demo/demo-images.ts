import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Header } from 'tar';
import type { EngineImage } from '../runtime/index.js';
import type { DemoNode } from './demo-node.js';
import { recordedJson } from './recorded.js';

/** Images of the user, and the images in kind's node images. Small, because loading one writes it to disk. */
const IMAGES = recordedJson<{
  local: { reference: string; sizeBytes: number; createdAt: string }[];
  node: { repository: string; tag?: string; sizeBytes: number }[];
}>('images.json');

export const NODE_IMAGE_BYTES = 1_388_683_921;
const CHUNK_BYTES = 1_000_000;
const BLOCK_BYTES = 512;

export function demoImages(nodeImages: readonly string[]): EngineImage[] {
  const image = (reference: string, sizeBytes: number, createdAt: string): EngineImage => ({
    id: idOf(reference),
    references: [reference.split('@')[0] ?? reference],
    digests: [],
    sizeBytes,
    createdAt,
    architecture: 'amd64',
  });
  return [
    ...nodeImages.map((reference) => image(reference, NODE_IMAGE_BYTES, '2026-08-27T09:12:44.000Z')),
    ...IMAGES.local.map(({ reference, sizeBytes, createdAt }) => image(reference, sizeBytes, createdAt)),
  ];
}

/** The config of an image. Its digest is the id of the image. */
function configOf(reference: string): string {
  return JSON.stringify({ architecture: 'amd64', os: 'linux', config: { Labels: { demo: reference } } });
}

const ids = new Map<string, string>();

/** Computed once: each list of nodes contains the ids of their images, which are few. */
export function idOf(reference: string): string {
  const known = ids.get(reference);
  if (known !== undefined) return known;
  const id = `sha256:${createHash('sha256').update(configOf(reference)).digest('hex')}`;
  ids.set(reference, id);
  return id;
}

/** An image archive in Docker's format: an empty layer, the config and the manifest. */
export function demoArchive(
  reference: string,
  sizeBytes: number,
  pass: (share: number) => Promise<void>,
): Readable {
  const config = configOf(reference);
  const name = `${idOf(reference).slice('sha256:'.length)}.json`;
  const manifest = JSON.stringify([{ Config: name, RepoTags: [reference], Layers: ['layer.tar'] }]);
  return Readable.from(
    (async function* () {
      yield headerOf('layer.tar', sizeBytes);
      for (let left = sizeBytes; left > 0; left -= CHUNK_BYTES) {
        await pass(Math.min(left, CHUNK_BYTES) / sizeBytes);
        yield Buffer.alloc(Math.min(left, CHUNK_BYTES));
      }
      yield Buffer.alloc(paddingOf(sizeBytes));
      yield entry(name, config);
      yield entry('manifest.json', manifest);
      yield Buffer.alloc(2 * BLOCK_BYTES);
    })(),
    { objectMode: false },
  );
}

/** The output of `crictl images --output=json` in a node. */
export function crictlImages({ image, loaded = [] }: DemoNode): string {
  const version = /:(v[^@]+)/.exec(image)?.[1] ?? 'v1.34.4';
  const entryOf = (reference: string, id: string, sizeBytes: number): object => ({
    id,
    repoTags: [reference],
    repoDigests: [],
    size: String(sizeBytes),
    pinned: reference.includes('/pause:'),
  });
  return JSON.stringify({
    images: [
      ...IMAGES.node.map(({ repository, tag = version, sizeBytes }) => {
        const reference = `${repository}:${tag}`;
        return entryOf(reference, idOf(reference), sizeBytes);
      }),
      ...loaded.map(({ reference, id, sizeBytes }) => entryOf(reference, id, sizeBytes)),
    ],
  });
}

function entry(name: string, text: string): Buffer {
  const content = Buffer.from(text);
  return Buffer.concat([headerOf(name, content.length), content, Buffer.alloc(paddingOf(content.length))]);
}

function headerOf(path: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  new Header({ path, size, mode: 0o644, type: 'File', mtime: new Date(0) }).encode(block);
  return block;
}

function paddingOf(size: number): number {
  return (BLOCK_BYTES - (size % BLOCK_BYTES)) % BLOCK_BYTES;
}
