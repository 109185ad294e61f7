import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readProject } from '../../backend/src/core/config/project.js';
import { BlockStore } from '../../backend/src/drivers/log-store/embedded/block.store.js';
import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/embedded-log-store.js';
import { openLogStore } from '../../backend/src/drivers/log-store/open-log-store.js';
import type { LogStore, LogStoreCapabilities } from '../../backend/src/drivers/log-store/log-store.js';
import { identityOf, newLine, NO_LIMITS, START, writeLines } from '../support/logs/log-store.js';
import { MemoryLogStore } from '../support/logs/memory-log-store.js';
import { waitFor } from '../support/wait-for.js';
import { describeLogStore } from './ports/log-store.js';

const capabilities: LogStoreCapabilities = { deletion: 'erase', retention: 'store', regex: 'javascript' };

// The suite itself is right if its model passes.
describeLogStore('in-memory', {
  capabilities,
  open: async (folder, limits) => MemoryLogStore.open(limits, folder),
});

describeLogStore('embedded', { capabilities, open: openEmbeddedLogStore });

describe('openLogStore', () => {
  it.each([
    ['logs.db', null],
    ['spool.db', new URL('http://127.0.0.1:1')],
  ])('rejects %s of a newer version and names both versions', async (file, address) => {
    const folder = mkdtempSync(join(tmpdir(), 'log-store-'));
    try {
      await (await openLogStore(address, folder, NO_LIMITS)).close();
      writeFileSync(join(folder, 'version.json'), '{"version":"99.0.0"}');
      const database = new DatabaseSync(join(folder, file));
      database.exec('PRAGMA user_version = 99');
      database.close();
      await expect(openLogStore(address, folder, NO_LIMITS)).rejects.toThrow(
        `Slipway 99.0.0 wrote ${join(folder, file)} (schema 99). Slipway ${readProject().version} supports schemas up to 1`,
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('embedded log store', () => {
  let folder: string;
  let store: LogStore;
  let other: BlockStore;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-store-'));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    other.database.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads a block that is replaced by a compressed one while it is read', async () => {
    store = await openEmbeddedLogStore(folder, NO_LIMITS, { uncompressedBytes: 1 });
    const id = store.source(identityOf('a'));
    store.append(id, [newLine('one', START), newLine('two', START + 1)]);
    await store.flush();
    other = BlockStore.openReader(join(folder, 'logs.db'));
    const isCompressed = (): boolean => other.find(id, 1, 2)[0]?.compressed === 1;
    expect(isCompressed()).toBe(false);
    jest.spyOn(BlockStore.prototype, 'find').mockImplementationOnce(function (this: BlockStore, ...range) {
      const found = this.find(...range);
      void store.enforceRetention();
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (let tries = 0; !isCompressed() && tries < 1000; tries += 1) Atomics.wait(pause, 0, 0, 10);
      return found;
    });
    const lines = await store.lines(id, 1, 10);
    expect([lines.map(({ text }) => text), isCompressed()]).toEqual([['one', 'two'], true]);
  });

  it('keeps the WAL small while it compresses much at once', async () => {
    const limits = { ...NO_LIMITS, totalBytes: 20_000_000 };
    store = await openEmbeddedLogStore(folder, limits, { uncompressedBytes: Infinity });
    await writeLines(store, store.source(identityOf('a')), 10_000, START);
    await store.close();
    store = await openEmbeddedLogStore(folder, limits, { uncompressedBytes: 1 });
    other = BlockStore.openReader(join(folder, 'logs.db'));
    await store.enforceRetention();
    let largest = 0;
    await waitFor(() => {
      largest = Math.max(largest, statSync(join(folder, 'logs.db-wal')).size);
      return other.oldestUncompressed(1).length === 0;
    }, 'all blocks to be compressed');
    expect(largest).toBeGreaterThan(0);
    // A sixteenth of the limit, and what one step writes.
    expect(largest).toBeLessThanOrEqual(2_500_000);
  });
});
