/** Tags could not be listed. The message is a sentence for users. */
export class RegistryError extends Error {
  constructor(
    message: string,
    /** From the Retry-After header. */
    readonly retryAfterMs: number | null = null,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'RegistryError';
  }
}

export abstract class ImageRegistry {
  /**
   * @param repository such as `docker.io/kindest/node`.
   * @returns all tags that match, in no particular order.
   * @throws RegistryError, also if `signal` aborts the request.
   */
  abstract tags(repository: string, wanted: RegExp, signal: AbortSignal): Promise<string[]>;
}
