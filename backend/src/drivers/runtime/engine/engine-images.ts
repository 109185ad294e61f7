import { Readable } from 'node:stream';
import { DomainError } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import type { EngineImage } from '../runtime-driver.js';
import type { ImageSummary } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage, isGone, unlessGone } from './engine-error.js';
import { removeUnused } from './remove-unused.js';

const CONCURRENCY = 8;
/** Docker writes the whole archive to its own disk before it sends the first byte. */
const SAVE_DEADLINE_MS = 10 * 60_000;

export interface Platform {
  os: string;
  architecture: string;
}

export class EngineImages {
  /** By image id, under which an image never changes. */
  private readonly architectures = new Map<string, string | null>();

  constructor(private readonly connection: EngineConnection) {}

  async list(): Promise<EngineImage[]> {
    const found = await this.connection.read((client, abortSignal) => client.listImages({ abortSignal }));
    const images = merge(found);
    await this.loadArchitectures(images.map(({ id }) => id));
    return images.map((image) => ({ ...image, architecture: this.architectures.get(image.id) ?? null }));
  }

  async save(reference: string, platform: Platform | undefined, signal: AbortSignal): Promise<Readable> {
    try {
      const statusCodes = { 200: true, 404: 'no such image', 500: 'server error' } as const;
      const options = platform ? { platform } : {};
      return await this.connection.requestStream(
        { path: `/images/${reference}/get?`, method: 'GET', statusCodes, options },
        Readable,
        signal,
        SAVE_DEADLINE_MS,
      );
    } catch (error) {
      if (error instanceof DomainError || signal.aborted) throw error;
      const reason = isGone(error) ? 'it does not exist' : engineMessage(error);
      const message = `${this.connection.engine} could not export ${reference}: ${reason}.`;
      throw new DomainError('image_not_found', message, undefined, { cause: error });
    }
  }

  async remove({ id, references }: Pick<EngineImage, 'id' | 'references'>): Promise<void> {
    // Removed name by name: engines reject the id of an image with several names, and `force` would remove an image that
    // a stopped container uses.
    for (const name of references.length > 0 ? references : [id]) {
      await removeUnused(this.connection, name, 'image_in_use', (client, abortSignal) =>
        client.getImage(name).remove({ abortSignal }),
      );
    }
  }

  private async loadArchitectures(ids: readonly string[]): Promise<void> {
    const known = new Set(ids);
    for (const id of this.architectures.keys()) if (!known.has(id)) this.architectures.delete(id);
    const waiting = ids.filter((id) => !this.architectures.has(id));
    await mapConcurrently(waiting, CONCURRENCY, async (id) => {
      this.architectures.set(id, await this.architectureOf(id));
    });
  }

  private async architectureOf(id: string): Promise<string | null> {
    const image = await unlessGone(
      this.connection.read((client, abortSignal) => client.getImage(id).inspect({ abortSignal })),
    );
    return image?.Architecture ?? null;
  }
}

/** Merges the entries of an id: Podman lists an image once for each of its names. */
function merge(summaries: readonly ImageSummary[]): Omit<EngineImage, 'architecture'>[] {
  const images = new Map<string, Omit<EngineImage, 'architecture'>>();
  for (const { Id, RepoTags, RepoDigests, Size, Created } of summaries) {
    if (Id === undefined) continue;
    const id = Id.startsWith('sha256:') ? Id : `sha256:${Id}`;
    const known = images.get(id);
    images.set(id, {
      id,
      references: [...new Set([...(known?.references ?? []), ...named(RepoTags)])],
      digests: [...new Set([...(known?.digests ?? []), ...named(RepoDigests)])],
      sizeBytes: Size ?? 0,
      createdAt: Created ? new Date(Created * 1000).toISOString() : null,
    });
  }
  return [...images.values()];
}

/** Removes `<none>:<none>`, which engines use for a missing name. */
function named(references: readonly string[] | null | undefined): string[] {
  return (references ?? []).filter((reference) => !reference.includes('<none>'));
}
