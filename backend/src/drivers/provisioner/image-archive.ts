import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { ArchiveLimitError, readTar, type ReadTarOptions } from '../../core/archive/index.js';
import { DomainError, reasonOf } from '../../core/errors/index.js';

/** An image in an archive. */
export interface ArchivedImage {
  /** Digest of its config, by which nodes know it; null where the archive does not tell. */
  id: string | null;
  /** Its names; none where it was saved by id. */
  references: string[];
}

/** Above any manifest and any index; what is larger is no such thing. */
const MAX_JSON_BYTES = 4_000_000;
const MAX_ENTRIES = 100_000;
/** Programs pack to a third or a tenth; what grows further than this, beyond a size that does no harm, is a trap. */
const MAX_GROWTH = 100;
const HARMLESS_BYTES = 1_000_000_000;
/** Of tens of gigabytes on a slow disk. */
const MAX_MS = 30 * 60_000;
/** An index may point to an index; further than this it is no longer an image. */
const MAX_DEPTH = 3;

interface DockerManifest {
  Config?: unknown;
  RepoTags?: unknown;
}

interface OciDescriptor {
  mediaType?: unknown;
  digest?: unknown;
  annotations?: Record<string, unknown> | null;
}

interface OciDocument {
  manifests?: OciDescriptor[];
  config?: OciDescriptor;
}

/**
 * Reads what an image archive holds, in Docker's format (`manifest.json`) or OCI's (`index.json`), packed
 * or not, without unpacking any of it.
 * @throws DomainError `archive_refused` for a file that is neither.
 */
export async function readImageArchive(file: string): Promise<ArchivedImage[]> {
  const found = await readJson(file, new Set(['manifest.json', 'index.json']));
  const manifest = found.get('manifest.json');
  if (Array.isArray(manifest)) return fromDocker(manifest as DockerManifest[]);
  const index = found.get('index.json') as OciDocument | undefined;
  if (Array.isArray(index?.manifests)) return await fromOci(file, index.manifests);
  throw refused(
    'it holds neither manifest.json nor index.json: it is not what docker save or podman save writes',
  );
}

function fromDocker(manifests: DockerManifest[]): ArchivedImage[] {
  if (manifests.length === 0) throw refused('its manifest.json names no image');
  return manifests.map(({ Config, RepoTags }) => {
    // `<digest>.json` of old, `blobs/sha256/<digest>` since Docker 25.
    const digest = typeof Config === 'string' ? /([0-9a-f]{64})(\.json)?$/.exec(Config)?.[1] : undefined;
    return { id: digest ? `sha256:${digest}` : null, references: texts(RepoTags) };
  });
}

async function fromOci(file: string, descriptors: OciDescriptor[]): Promise<ArchivedImage[]> {
  const images: ArchivedImage[] = [];
  let waiting = descriptors.map((descriptor) => ({ descriptor, references: namesOf(descriptor) }));
  for (let depth = 0; depth < MAX_DEPTH && waiting.length > 0; depth += 1) {
    const blobs = await readJson(
      file,
      new Set(waiting.flatMap(({ descriptor }) => pathOf(descriptor) ?? [])),
    );
    const next: typeof waiting = [];
    for (const { descriptor, references } of waiting) {
      const document = blobs.get(pathOf(descriptor) ?? '') as OciDocument | undefined;
      if (typeof document?.config?.digest === 'string') {
        images.push({ id: document.config.digest, references });
      } else if (Array.isArray(document?.manifests)) {
        next.push(...document.manifests.map((child) => ({ descriptor: child, references })));
      }
    }
    waiting = next;
  }
  if (images.length === 0) throw refused('its index.json points to no image that is in it');
  return images;
}

/** containerd's own annotation has the whole name; OCI's may hold the tag alone, which names nothing. */
function namesOf({ annotations }: OciDescriptor): string[] {
  const names = texts([
    annotations?.['io.containerd.image.name'],
    annotations?.['org.opencontainers.image.ref.name'],
  ]).filter((name) => /[/:]/.test(name));
  return names.slice(0, 1);
}

function pathOf({ digest }: OciDescriptor): string | undefined {
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest)
    ? `blobs/${digest.replace(':', '/')}`
    : undefined;
}

/** The parsed content of some entries; what is not JSON is left out. */
async function readJson(file: string, wanted: ReadonlySet<string>): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  try {
    await readTar(createReadStream(file), await optionsFor(file), async ({ path: name, size, content }) => {
      const path = name.replace(/^\.\//, '');
      if (!wanted.has(path) || size > MAX_JSON_BYTES) return;
      const text = (await buffer(content)).toString('utf8');
      try {
        found.set(path, JSON.parse(text));
      } catch {
        throw refused(`its ${path} is not JSON`);
      }
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

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];
}

function refused(reason: string, cause?: unknown): DomainError {
  return new DomainError('archive_refused', `This is not an image archive: ${reason}.`, undefined, { cause });
}
