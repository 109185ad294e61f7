import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { ImageRegistry, RegistryError } from '../../drivers/registry/index.js';

/** Tags of full releases. Excludes alphas and custom tags. */
const RELEASE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}$/;
/** Deadline for all pages of the tag list. */
const DEADLINE_MS = 10_000;
/** kind publishes images a few times a year. */
const FRESH_MS = 60 * 60_000;
const RETRY_MS = 60_000;

export const LOOKUP_STATES = ['off', 'reading', 'reached', 'unreachable'] as const;

export interface RegistryLookup {
  state: (typeof LOOKUP_STATES)[number];
  reason: string | null;
  /** When the tags were read, RFC 3339. Later failures keep them. */
  readAt: string | null;
  tags: readonly string[];
}

/**
 * Cache of the tags in the registry of node images. `current` returns immediately; if the tags are old, it reads them in
 * the background. There is one read at a time.
 */
@Injectable()
export class RegistryTags implements OnApplicationShutdown {
  private known: { tags: string[]; readAt: string } | undefined;
  private reason: string | null = null;
  private nextAt = 0;
  private reading: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly configuration: Configuration,
    private readonly registry: ImageRegistry,
    private readonly logger: AppLogger,
  ) {}

  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  current(): RegistryLookup {
    if (this.configuration.values.registryLookup === 'off') {
      return { state: 'off', reason: null, readAt: null, tags: [] };
    }
    if (!this.reading && performance.now() >= this.nextAt) {
      this.reading = this.read().finally(() => {
        this.reading = undefined;
      });
    }
    const { tags = [], readAt = null } = this.known ?? {};
    const state = this.reading && !this.known ? 'reading' : this.reason === null ? 'reached' : 'unreachable';
    return { state, reason: state === 'unreachable' ? this.reason : null, readAt, tags };
  }

  private async read(): Promise<void> {
    const { nodeImageRepository } = this.configuration.values;
    const signal = AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), this.stopping.signal]);
    try {
      const tags = await this.registry.tags(nodeImageRepository, RELEASE_TAG, signal);
      this.known = { tags, readAt: new Date().toISOString() };
      this.reason = null;
      this.nextAt = performance.now() + FRESH_MS;
    } catch (error) {
      const rest = error instanceof RegistryError ? error.retryAfterMs : null;
      this.nextAt = performance.now() + Math.max(rest ?? 0, RETRY_MS);
      this.reason = reasonOf(error);
      if (this.stopping.signal.aborted) return;
      this.logger.info('could not read the registry of node images', { reason: this.reason });
    }
  }
}
