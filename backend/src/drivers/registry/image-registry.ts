/** A registry that could not tell its tags. The message says why, for the person who reads the list. */
export class RegistryError extends Error {
  constructor(
    message: string,
    /** How long it asks to be left alone, where it does. */
    readonly restMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'RegistryError';
  }
}

/** Where images come from: the one thing outside this machine that the product asks by itself. */
export abstract class ImageRegistry {
  /**
   * Every tag of a repository that `wanted` lets through, in no order.
   * @param repository as in `docker.io/kindest/node`.
   * @throws RegistryError, also when `signal` ends it.
   */
  abstract tags(repository: string, wanted: RegExp, signal: AbortSignal): Promise<string[]>;
}
