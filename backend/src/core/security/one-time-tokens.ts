import { hash } from 'node:crypto';

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
    this.unused.set(hash('sha256', token), Date.now() + this.lifeMs);
  }

  /** Consumes a token. @returns whether it was valid. */
  take(token: string): boolean {
    const key = hash('sha256', token);
    const expiresAt = this.unused.get(key) ?? 0;
    this.unused.delete(key);
    return Date.now() < expiresAt;
  }
}
