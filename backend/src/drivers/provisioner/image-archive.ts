import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ArchiveLimitError, readTar, type ReadTarOptions } from '../../core/archive/index.js';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import { jsonValue, labels, list, record, text, texts, type Read } from '../../core/parsing/index.js';

export interface ArchivedImage {
  /** Digest of its config, which is its id in nodes; null if unknown. */
  id: string | null;
  /** Empty if it was saved by id. */
  references: string[];
}

/** Manifests and indexes are smaller. */
const MAX_JSON_BYTES = 4_000_000;
const MAX_ENTRIES = 100_000;
/** Programs compress to a third or a tenth. An archive that grows more, and beyond a harmless size, is rejected. */
const MAX_GROWTH = 100;
const HARMLESS_BYTES = 1_000_000_000;
/** For tens of gigabytes on a slow disk. */
const MAX_MS = 30 * 60_000;
/** Maximum nesting of OCI indexes. */
const MAX_DEPTH = 3;

const dockerManifests = list(record({ Config: text(4096), RepoTags: texts }));
const descriptors = list(record({ digest: text(1024), annotations: labels }));
const ociDocument = record({
  manifests: descriptors,
  config: record({ digest: text(1024) }),
});

type OciDescriptor = NonNullable<Read<typeof descriptors>>[number];

/**
 * Lists the images in an archive of Docker (`manifest.json`) or OCI (`index.json`), optionally compressed with gzip.
 * @throws DomainError `archive_refused`
 */
export async function readImageArchive(file: string): Promise<ArchivedImage[]> {
  const found = await readJson(file, new Set(['manifest.json', 'index.json']));
  const manifest = dockerManifests(found.get('manifest.json'));
  if (manifest) return fromDocker(manifest);
  const index = ociDocument(found.get('index.json'));
  if (index?.manifests) return await fromOci(file, index.manifests);
  throw refused('it contains neither manifest.json nor index.json');
}

function fromDocker(manifests: Read<typeof dockerManifests>): ArchivedImage[] {
  if (manifests.length === 0) throw refused('its manifest.json lists no image');
  return manifests.map(({ Config = '', RepoTags = [] }) => {
    // `blobs/sha256/<digest>` since Docker 25, `<digest>.json` before.
    const digest = /(?<![0-9a-f])([0-9a-f]{64})(\.json)?$/.exec(Config)?.[1];
    return { id: digest ? `sha256:${digest}` : null, references: RepoTags };
  });
}

async function fromOci(file: string, found: OciDescriptor[]): Promise<ArchivedImage[]> {
  const images: ArchivedImage[] = [];
  let waiting = found.map((descriptor) => ({ descriptor, references: namesOf(descriptor) }));
  for (let depth = 0; depth < MAX_DEPTH && waiting.length > 0; depth += 1) {
    const blobs = await readJson(
      file,
      new Set(waiting.flatMap(({ descriptor }) => pathOf(descriptor) ?? [])),
    );
    const next: typeof waiting = [];
    for (const { descriptor, references } of waiting) {
      const document = ociDocument(blobs.get(pathOf(descriptor) ?? ''));
      if (document?.config?.digest !== undefined) {
        images.push({ id: document.config.digest, references });
      } else if (document?.manifests) {
        next.push(...document.manifests.map((child) => ({ descriptor: child, references })));
      }
    }
    waiting = next;
  }
  if (images.length === 0) throw refused('its index.json refers to no image in the archive');
  return images;
}

/** containerd's annotation is the full name. OCI's may only be the tag, which is not a name. */
function namesOf({ annotations = {} }: OciDescriptor): string[] {
  const names = ['io.containerd.image.name', 'org.opencontainers.image.ref.name']
    .flatMap((key) => annotations[key] ?? [])
    .filter((name) => /[/:]/.test(name));
  return names.slice(0, 1);
}

function pathOf({ digest }: OciDescriptor): string | undefined {
  return digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest)
    ? `blobs/${digest.replace(':', '/')}`
    : undefined;
}

async function readJson(file: string, wanted: ReadonlySet<string>): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  try {
    await readTar(createReadStream(file), await optionsFor(file), async ({ path: name, size, content }) => {
      const path = name.replace(/^\.\//, '');
      if (!wanted.has(path) || size > MAX_JSON_BYTES) return;
      const value = jsonValue((await buffer(content)).toString('utf8'));
      if (value === undefined) throw refused(`its ${path} is not valid JSON`);
      found.set(path, value);
    });
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof ArchiveLimitError) throw refused(cause.message, cause);
    throw refused(`it cannot be read as a tar archive (${reasonOf(cause)})`, cause);
  }
  return found;
}

async function optionsFor(file: string): Promise<ReadTarOptions> {
  const handle = await open(file);
  const { buffer: head } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  const { size } = await handle.stat();
  await handle.close();
  const gzipped = head[0] === 0x1f && head[1] === 0x8b;
  const bytes = gzipped ? Math.max(HARMLESS_BYTES, size * MAX_GROWTH) : size;
  return { gzipped, limits: { entries: MAX_ENTRIES, bytes, milliseconds: MAX_MS } };
}

function refused(reason: string, cause?: unknown): DomainError {
  return new DomainError('archive_refused', `This is not an image archive: ${reason}.`, undefined, { cause });
}
