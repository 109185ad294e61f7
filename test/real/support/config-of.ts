import { expect } from '@jest/globals';
import type { Product } from './product.js';

interface ConfigAnswer {
  config: string;
  source: string;
  config_changed?: boolean;
}

const ATTEMPTS = 5;

/** Reads a cluster's config, and sends one in its place. */
export class ConfigOf {
  constructor(
    private readonly product: Product,
    private readonly path: string,
  ) {}

  /** Asks again where the engine has no time to look into nodes: each request is held for seconds at most. */
  async read(): Promise<ConfigAnswer & { etag: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body, headers } = await this.product.call<ConfigAnswer>('GET', this.path, undefined, {
        accept: 'application/json',
      });
      if (status === 503 && attempt < ATTEMPTS) continue;
      expect([status, body]).toMatchObject([200, {}]);
      return { ...body, etag: headers.get('etag') ?? '' };
    }
  }

  async replace(config: string, etag: string): Promise<ConfigAnswer> {
    const { status, body } = await this.product.call<ConfigAnswer>(
      'PUT',
      this.path,
      { config },
      { accept: 'application/json', 'if-match': etag },
    );
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  }
}
