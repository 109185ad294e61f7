import type { Readable } from 'node:stream';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { EngineImage } from '../runtime-driver.js';
import { dial } from './dial.js';
import type { ImageSummary, InspectedImage } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { isConflict, isGone } from './engine-error.js';

/** Images that are inspected at the same time. */
const AT_ONCE = 8;
const REMOVE_DEADLINE_MS = 60_000;
/** Docker writes the whole archive to its own disk before it sends the first byte. */
const SAVE_BEGINS_WITHIN_MS = 10 * 60_000;

/** A platform in the words of an engine's API. */
export interface Platform {
  os: string;
  architecture: string;
}

/** The images of one engine. */
export class EngineImages {
  /** An image never changes under its id. */
  private readonly architectures = new Map<string, string | null>();

  constructor(private readonly connection: EngineConnection) {}

  async list(): Promise<EngineImage[]> {
    const found = await this.connection.read((client, abortSignal) => client.listImages({ abortSignal }));
    const images = merge(found);
    await this.learnArchitectures(images.map(({ id }) => id));
    return images.map((image) => ({ ...image, architecture: this.architectures.get(image.id) ?? null }));
  }

  /** @param platform the one to save, where the engine may hold several; undefined where it takes no such choice. */
  async save(reference: string, platform: Platform | undefined, signal: AbortSignal): Promise<Readable> {
    try {
      const stream = await this.connection.stream(
        (client, abortSignal) =>
          dial<NodeJS.ReadableStream>(client, {
            path: `/images/${reference}/get?`,
            method: 'GET',
            isStream: true,
            statusCodes: { 200: true, 404: 'no such image', 500: 'server error' },
            options: platform ? { platform } : {},
            abortSignal,
          }),
        signal,
        SAVE_BEGINS_WITHIN_MS,
      );
      return stream as Readable;
    } catch (error) {
      if (error instanceof DomainError || signal.aborted) throw error;
      const reason = isGone(error) ? 'it is not there' : redact(reasonOf(error));
      throw new DomainError(
        'image_not_found',
        `${this.connection.engine} could not hand out ${reference}: ${reason}.`,
        undefined,
        { cause: error },
      );
    }
  }

  async remove({ id, references }: Pick<EngineImage, 'id' | 'references'>): Promise<void> {
    // By name, one after the other: by id an engine refuses an image with several names, and force would
    // take it away from under a container that ended.
    for (const name of references.length > 0 ? references : [id]) {
      try {
        await this.connection.read(
          (client, abortSignal) => client.getImage(name).remove({ abortSignal }),
          REMOVE_DEADLINE_MS,
        );
      } catch (error) {
        if (isGone(error)) continue;
        if (!isConflict(error)) throw error;
        throw new DomainError(
          'image_in_use',
          `${this.connection.engine} keeps ${name}: ${redact(reasonOf(error)).trim()}.`,
          undefined,
          { cause: error },
        );
      }
    }
  }

  private async learnArchitectures(ids: readonly string[]): Promise<void> {
    const known = new Set(ids);
    for (const id of this.architectures.keys()) if (!known.has(id)) this.architectures.delete(id);
    const waiting = ids.filter((id) => !this.architectures.has(id));
    const work = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        this.architectures.set(id, await this.architectureOf(id));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  private async architectureOf(id: string): Promise<string | null> {
    try {
      const image: InspectedImage = await this.connection.read((client, abortSignal) =>
        client.getImage(id).inspect({ abortSignal }),
      );
      return image.Architecture ?? null;
    } catch (error) {
      // Removed between the list and now.
      if (isGone(error)) return null;
      throw error;
    }
  }
}

/** One entry for each id: Podman lists an image once for each of its names. */
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

/** Without `<none>:<none>`, as engines call what has no name. */
function named(references: readonly string[] | null | undefined): string[] {
  return (references ?? []).filter((reference) => !reference.includes('<none>'));
}
