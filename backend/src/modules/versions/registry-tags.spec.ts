import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { ImageRegistry, RegistryError } from '../../drivers/registry/index.js';
import { RegistryTags } from './registry-tags.js';

/** Responds when a test calls `answer` or `fail`. */
class HeldRegistry extends ImageRegistry {
  readonly asked: { repository: string; signal: AbortSignal }[] = [];
  answer: (tags: string[]) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  override tags(repository: string, _wanted: RegExp, signal: AbortSignal): Promise<string[]> {
    this.asked.push({ repository, signal });
    return new Promise((resolve, reject) => {
      this.answer = resolve;
      this.fail = reject;
    });
  }
}

describe('RegistryTags', () => {
  let registry: HeldRegistry;
  let now: number;

  const tags = (environment: Record<string, string> = {}): RegistryTags => {
    const configuration = readConfiguration(environment);
    return new RegistryTags(
      configuration,
      registry,
      AppLogger.create(configuration, { write: () => undefined }),
    );
  };

  beforeEach(() => {
    registry = new HeldRegistry();
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('returns immediately, and reads the registry once for several calls', async () => {
    const own = tags();
    for (let asked = 0; asked < 5; asked += 1) {
      expect(own.current()).toEqual({ state: 'reading', reason: null, readAt: null, tags: [] });
    }
    expect(registry.asked.map(({ repository }) => repository)).toEqual(['docker.io/kindest/node']);
    registry.answer(['v1.34.0']);
    await flushed();
    expect(own.current().state).toBe('reached');
    expect(own.current()).toMatchObject({ tags: ['v1.34.0'], reason: null });
    expect(Date.parse(own.current().readAt ?? '')).not.toBeNaN();
  });

  it('reads the tags again after an hour, and returns the old ones meanwhile', async () => {
    const own = tags();
    own.current();
    registry.answer(['v1.34.0']);
    await flushed();
    expect(own.current().state).toBe('reached');
    now += 3_599_000;
    own.current();
    expect(registry.asked).toHaveLength(1);
    now += 2_000;
    expect(own.current()).toMatchObject({ state: 'reached', tags: ['v1.34.0'] });
    expect(registry.asked).toHaveLength(2);
    registry.answer(['v1.35.0']);
    await flushed();
    expect(own.current().tags).toEqual(['v1.35.0']);
  });

  it('keeps the tags of an unreachable registry with the reason, and retries after a minute', async () => {
    const own = tags();
    own.current();
    registry.answer(['v1.34.0']);
    await flushed();
    expect(own.current().state).toBe('reached');
    now += 3_700_000;
    own.current();
    registry.fail(new RegistryError('Could not reach docker.io: no network.'));
    await flushed();
    expect(own.current().state).toBe('unreachable');
    expect(own.current()).toMatchObject({
      reason: 'Could not reach docker.io: no network.',
      tags: ['v1.34.0'],
    });
    expect(registry.asked).toHaveLength(2);
    now += 61_000;
    own.current();
    expect(registry.asked).toHaveLength(3);
  });

  it('does not retry before the Retry-After time of the registry', async () => {
    const own = tags();
    own.current();
    registry.fail(new RegistryError('asked too often', 600_000));
    await flushed();
    expect(own.current().state).toBe('unreachable');
    now += 599_000;
    own.current();
    expect(registry.asked).toHaveLength(1);
    now += 2_000;
    expect(own.current().state).toBe('reading');
    expect(registry.asked).toHaveLength(2);
  });

  it('does not read the registry if the lookup is off', () => {
    expect(tags({ APP_REGISTRY_LOOKUP: 'off' }).current()).toMatchObject({ state: 'off', tags: [] });
    expect(registry.asked).toEqual([]);
  });

  it('aborts a read on shutdown', () => {
    const own = tags();
    own.current();
    own.onApplicationShutdown();
    expect(registry.asked[0]?.signal.aborted).toBe(true);
  });
});

/** Resolves when the last response has been processed. */
function flushed(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
