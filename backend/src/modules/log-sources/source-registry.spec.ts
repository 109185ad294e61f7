import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identityOf, newLine, START } from '../../../../test/support/logs/lines.js';
import { openStore } from '../../../../test/support/logs/store.js';
import { noSettings } from '../../../../test/support/logs/sources.js';
import type { LogStore } from '../../drivers/log-store/index.js';
import { SourceRegistry } from './source-registry.js';

describe('SourceRegistry', () => {
  let folder: string;
  let store: LogStore;
  let registry: SourceRegistry;

  /** Opens the registry as after a restart. */
  async function open(): Promise<void> {
    store = await openStore(folder);
    registry = new SourceRegistry(noSettings());
    registry.open(store);
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-'));
    await open();
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives an empty source a new id if it reappears late after a restart', async () => {
    registry.ensure(identityOf('quiet'));
    await store.close();
    await open();
    expect(registry.all().map(({ state }) => state)).toEqual(['gone']);
    // The store deletes a source that is no longer confirmed before the registry does.
    await store.enforceRetention();
    const { id, state } = registry.ensure(identityOf('quiet'));
    expect(state).toBe('waiting');
    expect(store.append(id, [newLine('its first words', START)])).toBe(1);
    expect(registry.all().map((entry) => entry.id)).toEqual([id]);
  });

  it('drops a source that the store has already removed', async () => {
    const entry = registry.ensure(identityOf('previous'));
    store.leave(entry.id);
    await store.enforceRetention();
    expect(store.extent(entry.id)).toBeUndefined();
    await registry.drop(entry);
    expect(registry.all()).toEqual([]);
  });
});
