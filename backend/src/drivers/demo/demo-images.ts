import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Header } from 'tar';
import type { EngineImage } from '../runtime/index.js';
import type { DemoNode } from './demo-node.js';

/** Images that somebody of the demo built or pulled: small, because a load writes them out. */
const OWN_IMAGES: readonly { reference: string; sizeBytes: number; day: string }[] = [
  { reference: 'shop/web:1.4.0', sizeBytes: 12_400_000, day: '2026-11-20' },
  { reference: 'shop/api:dev', sizeBytes: 9_800_000, day: '2026-11-21' },
  { reference: 'shop/worker:latest', sizeBytes: 7_100_000, day: '2026-11-18' },
  { reference: 'docker.io/library/postgres:17', sizeBytes: 18_300_000, day: '2026-10-02' },
];

/** What every node holds from the beginning, as it is in kind's node images. */
const NODE_IMAGES: readonly { repository: string; tag?: string; sizeBytes: number }[] = [
  { repository: 'docker.io/kindest/kindnetd', tag: 'v20260820', sizeBytes: 44_900_000 },
  { repository: 'docker.io/kindest/local-path-provisioner', tag: 'v20260820', sizeBytes: 20_400_000 },
  { repository: 'registry.k8s.io/coredns/coredns', tag: 'v1.12.4', sizeBytes: 22_400_000 },
  { repository: 'registry.k8s.io/etcd', tag: '3.6.5-0', sizeBytes: 63_600_000 },
  { repository: 'registry.k8s.io/kube-apiserver', sizeBytes: 89_000_000 },
  { repository: 'registry.k8s.io/kube-controller-manager', sizeBytes: 75_900_000 },
  { repository: 'registry.k8s.io/kube-proxy', sizeBytes: 73_100_000 },
  { repository: 'registry.k8s.io/kube-scheduler', sizeBytes: 53_800_000 },
  { repository: 'registry.k8s.io/pause', tag: '3.10.1', sizeBytes: 736_000 },
];

const NODE_IMAGE_BYTES = 1_388_683_921;
const CHUNK_BYTES = 1_000_000;
const BLOCK_BYTES = 512;

/** Everything that the demo's engine holds. */
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
    ...OWN_IMAGES.map(({ reference, sizeBytes, day }) => image(reference, sizeBytes, `${day}T08:30:00.000Z`)),
  ];
}

/** The image's config; its digest is the image's id, as in the real thing. */
function configOf(reference: string): string {
  return JSON.stringify({ architecture: 'amd64', os: 'linux', config: { Labels: { demo: reference } } });
}

export function idOf(reference: string): string {
  return `sha256:${createHash('sha256').update(configOf(reference)).digest('hex')}`;
}

/** A whole archive in Docker's format: a layer of nothing, the config, and the manifest. */
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

/** The answer of `crictl images --output=json` in a node. */
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
      ...NODE_IMAGES.map(({ repository, tag = version, sizeBytes }) => {
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
