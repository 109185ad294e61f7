import { Readable } from 'node:stream';
import { DomainError } from '../../../core/errors/index.js';
import { mapConcurrently } from '../../../core/threads/index.js';
import { fullRepository } from '../image-reference.js';
import type { EngineImage, LocalImage, PullProgress } from '../runtime-driver.js';
import { pullMessage, type ImageSummary } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage, isGone, unlessGone } from './engine-error.js';
import { jsonLines } from './json-lines.js';
import { explainPull } from './pull-failure.js';
import { PullTracker } from './pull-tracker.js';
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

  async local(repository: string): Promise<LocalImage[]> {
    const images = await this.connection.read((client, abortSignal) => client.listImages({ abortSignal }));
    const wanted = fullRepository(repository);
    return images.flatMap((image) => {
      const digests = (image.RepoDigests ?? [])
        .filter((digest) => fullRepository(digest.split('@')[0] ?? '') === wanted)
        .map((digest) => digest.split('@')[1] ?? '');
      return (image.RepoTags ?? [])
        .filter((reference) => fullRepository(reference.slice(0, reference.lastIndexOf(':'))) === wanted)
        .map((reference) => ({ reference, digests, sizeBytes: image.Size ?? 0 }));
    });
  }

  async has(reference: string): Promise<boolean> {
    const image = await unlessGone(
      this.connection.read((client, abortSignal) => client.getImage(reference).inspect({ abortSignal })),
    );
    return image !== undefined;
  }

  async pull(
    reference: string,
    onProgress: (progress: PullProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const tracker = new PullTracker();
    try {
      const stream = await this.connection.stream(
        (client, abortSignal) => client.createImage({ fromImage: reference, abortSignal }),
        signal,
        // The engine contacts the registry before it responds.
        60_000,
      );
      for await (const message of jsonLines(stream, pullMessage)) {
        const failure = message.error ?? message.errorDetail?.message;
        if (failure !== undefined) throw new Error(failure);
        const progress = tracker.update(message);
        if (progress) onProgress(progress);
      }
      signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError) throw error;
      const message = explainPull(reference, engineMessage(error), this.connection.engine);
      throw new DomainError('image_not_pulled', message, undefined, { cause: error });
    }
    if (!(await this.has(reference))) {
      throw new DomainError(
        'image_not_pulled',
        `${this.connection.engine} reported no error for the pull of ${reference}, but the image does not exist.`,
      );
    }
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
