import { createHash } from 'node:crypto';

/** Tokens of links that are good once and for a while. They are kept in memory, as hashes: nothing else can show them. */
export class OneTimeTokens {
  /** Hashes of tokens that have not been used, with the time at which they expire. */
  private readonly unused = new Map<string, number>();

  /** @param most that are kept; beyond them, the oldest is dropped. */
  constructor(
    private readonly lifeMs: number,
    private readonly most: number,
  ) {}

  add(token: string): void {
    const [oldest] = this.unused.keys();
    if (this.unused.size >= this.most && oldest !== undefined) this.unused.delete(oldest);
    this.unused.set(hashOf(token), Date.now() + this.lifeMs);
  }

  /** Uses a token up. @returns whether it was good. */
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
