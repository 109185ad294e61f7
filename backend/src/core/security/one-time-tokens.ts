import { hash } from 'node:crypto';

/** Tokens for single use within a limited time. Only their hashes are kept, in memory. */
export class OneTimeTokens {
  /** By hashes of unused tokens, the oldest first. */
  private readonly unused = new Map<string, { expiresAt: number; onEnd: (() => void) | undefined }>();

  /** @param most maximum number of tokens; the oldest are dropped first. */
  constructor(
    private readonly lifeMs: number,
    private readonly most: number,
  ) {}

  /** @param onEnd called when the token is taken or dropped; of an expired one, at the latest with the next `add`. */
  add(token: string, onEnd?: () => void): void {
    for (const [key, { expiresAt }] of this.unused) {
      if (this.unused.size < this.most && Date.now() < expiresAt) break;
      this.end(key);
    }
    this.unused.set(hash('sha256', token), { expiresAt: Date.now() + this.lifeMs, onEnd });
  }

  /** Consumes a token. @returns whether it was valid. */
  take(token: string): boolean {
    return Date.now() < this.end(hash('sha256', token));
  }

  /** @returns the expiry time; 0 for an unknown token. */
  private end(key: string): number {
    const { expiresAt, onEnd } = this.unused.get(key) ?? { expiresAt: 0 };
    this.unused.delete(key);
    onEnd?.();
    return expiresAt;
  }
}
