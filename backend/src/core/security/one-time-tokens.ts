import { hash } from 'node:crypto';

interface Unused<TValue> {
  value: TValue;
  expiresAt: number;
  onEnd: (() => void) | undefined;
}

/** Tokens for single use within a limited time, each with a value. Only their hashes are kept, in memory. */
export class OneTimeTokens<TValue = true> {
  /** By hashes of unused tokens, the oldest first. */
  private readonly unused = new Map<string, Unused<TValue>>();

  /** @param most maximum number of tokens; the oldest are dropped first. */
  constructor(
    private readonly lifeMs: number,
    private readonly most: number,
  ) {}

  /** @param onEnd called when the token is taken or dropped; of an expired one, at the latest with the next `add`. */
  add(token: string, value: TValue, onEnd?: () => void): void {
    for (const [key, { expiresAt }] of this.unused) {
      if (this.unused.size < this.most && Date.now() < expiresAt) break;
      this.end(key);
    }
    this.unused.set(hash('sha256', token), { value, expiresAt: Date.now() + this.lifeMs, onEnd });
  }

  /** Consumes a token. @returns its value; false if it was not valid. */
  take(token: string): TValue | false {
    const found = this.end(hash('sha256', token));
    return found !== undefined && Date.now() < found.expiresAt && found.value;
  }

  private end(key: string): Unused<TValue> | undefined {
    const found = this.unused.get(key);
    this.unused.delete(key);
    found?.onEnd?.();
    return found;
  }
}
