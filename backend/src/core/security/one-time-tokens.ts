import { createHash } from 'node:crypto';

/** Tokens for single use within a limited time. Only their hashes are kept, in memory. */
export class OneTimeTokens {
  /** Hashes of unused tokens with their expiry times. */
  private readonly unused = new Map<string, number>();

  /** @param most maximum number of tokens; the oldest are dropped first. */
  constructor(
    private readonly lifeMs: number,
    private readonly most: number,
  ) {}

  add(token: string): void {
    const [oldest] = this.unused.keys();
    if (this.unused.size >= this.most && oldest !== undefined) this.unused.delete(oldest);
    this.unused.set(hashOf(token), Date.now() + this.lifeMs);
  }

  /** Consumes a token. @returns whether it was valid. */
  take(token: string): boolean {
    const hash = hashOf(token);
    const expiresAt = this.unused.get(hash) ?? 0;
    this.unused.delete(hash);
    return Date.now() < expiresAt;
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
