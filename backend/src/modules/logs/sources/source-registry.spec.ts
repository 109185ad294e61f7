import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identityOf, newLine, NO_LIMITS, SMALL, START } from '../../../../../test/support/logs/history.js';
import { noSettings } from '../../../../../test/support/logs/sources.js';
import { LogHistory } from '../history/index.js';
import { SourceRegistry } from './source-registry.js';

describe('the sources that are known', () => {
  let folder: string;
  let history: LogHistory;
  let registry: SourceRegistry;

  /** As after a start, on what is kept. */
  async function open(): Promise<void> {
    history = await LogHistory.open(folder, NO_LIMITS, SMALL);
    registry = new SourceRegistry(noSettings());
    registry.open(history);
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-'));
    await open();
  });

  afterEach(async () => {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('take lines in again where one was empty and comes back late after a start', async () => {
    registry.ensure(identityOf('quiet'));
    await history.close();
    await open();
    expect(registry.all().map(({ state }) => state)).toEqual(['gone']);
    // The history lets go of what nobody says is there, before the registry does.
    await history.enforceLimits();
    const { id, state } = registry.ensure(identityOf('quiet'));
    expect(state).toBe('waiting');
    expect(history.append(id, [newLine('its first words', START)])).toBe(1);
    expect(registry.all().map((entry) => entry.id)).toEqual([id]);
  });

  it('can be dropped where the history has let go of one before', async () => {
    const entry = registry.ensure(identityOf('previous'));
    history.leave(entry.id);
    await history.enforceLimits();
    expect(history.extent(entry.id)).toBeUndefined();
    await registry.drop(entry);
    expect(registry.all()).toEqual([]);
  });
});
