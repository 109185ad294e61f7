import { expect } from '@jest/globals';
import type { Product } from './product.js';

interface ConfigResponse {
  config: string;
  source: string;
  config_changed?: boolean;
}

const ATTEMPTS = 5;

/** Reads and replaces the config of a cluster. */
export class ConfigOf {
  constructor(
    private readonly product: Product,
    private readonly path: string,
  ) {}

  /** Retries 503, because a busy engine may not read the nodes in time. */
  async read(): Promise<ConfigResponse & { etag: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body, headers } = await this.product.call<ConfigResponse>('GET', this.path, undefined, {
        accept: 'application/json',
      });
      if (status === 503 && attempt < ATTEMPTS) continue;
      expect([status, body]).toMatchObject([200, {}]);
      return { ...body, etag: headers.get('etag') ?? '' };
    }
  }

  async replace(config: string, etag: string): Promise<ConfigResponse> {
    const { status, body } = await this.product.call<ConfigResponse>(
      'PUT',
      this.path,
      { config },
      { accept: 'application/json', 'if-match': etag },
    );
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  }
}
