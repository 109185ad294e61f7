import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { ImageRegistry, RegistryError } from '../../drivers/registry/index.js';

/** A full release, as kind tags its node images: neither alphas nor what people tag for themselves. */
const RELEASE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}$/;
/** For all pages of the tag list. */
const DEADLINE_MS = 10_000;
/** kind publishes images a few times a year. */
const TRUSTED_FOR_MS = 60 * 60_000;
/** So that a network that comes back is noticed, and one that stays away is not asked all the time. */
const REST_AFTER_FAILURE_MS = 60_000;

export const LOOKUP_STATES = ['off', 'reading', 'reached', 'unreachable'] as const;

export interface RegistryLookup {
  state: (typeof LOOKUP_STATES)[number];
  /** Why it was not reached. */
  reason: string | null;
  /** When the tags were read, RFC 3339; they are kept over later failures. */
  readAt: string | null;
  tags: readonly string[];
}

/**
 * The tags that the registry of node images has, as they were last heard. Nobody waits for it: who asks gets
 * what is known, and begins a look where that is old. There is one look at a time.
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
      this.nextAt = performance.now() + TRUSTED_FOR_MS;
    } catch (error) {
      const rest = error instanceof RegistryError ? error.retryAfterMs : null;
      this.nextAt = performance.now() + Math.max(rest ?? 0, REST_AFTER_FAILURE_MS);
      this.reason = reasonOf(error);
      if (this.stopping.signal.aborted) return;
      this.logger.info('the registry of node images was not read', { reason: this.reason });
    }
  }
}
