import { execFileSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/embedded-log-store.js';
import type { LogStore } from '../../backend/src/drivers/log-store/index.js';
import { findIn, identityOf, newLine, NO_LIMITS, Random, START } from '../support/logs/log-store.js';
import { waitFor } from '../support/wait-for.js';

const DISK_KB = 8192;
/** Lines before the disk is full, and while it is. */
const BEFORE = 2000;
const MEANWHILE = 4000;
const OPTIONS = { uncompressedBytes: 512 * 1024 };

/** A small disk in memory. It needs Linux and root, as the engines of this suite do. */
function mountDisk(at: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KB}k`, 'small', at]);
}

function unmount(at: string): void {
  execFileSync('umount', [at]);
}

function textOf(seq: number): string {
  return `line ${seq} ${new Random(seq).text(200)}`;
}

describe('the embedded log store on a full disk', () => {
  let outer: string;
  let disk: string;
  let store: LogStore;

  beforeEach(async () => {
    outer = mkdtempSync(join(tmpdir(), 'full-disk-'));
    disk = join(outer, 'disk');
    mkdirSync(disk);
    mountDisk(disk);
    store = await openEmbeddedLogStore(disk, NO_LIMITS, OPTIONS);
  });

  afterEach(async () => {
    await store.close();
    unmount(disk);
    rmSync(outer, { recursive: true });
  });

  const filler = (): string => join(disk, 'filler');

  /** Takes all space that is left. */
  function fill(): void {
    const file = openSync(filler(), 'a');
    try {
      for (let bytes = 64 * 1024; bytes > 0;) {
        try {
          if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2);
        } catch {
          bytes = Math.floor(bytes / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  async function append(id: number, from: number, count: number): Promise<void> {
    for (let first = from; first < from + count; first += 50) {
      const lines = Array.from({ length: 50 }, (_, index) =>
        newLine(textOf(first + index), START + first + index),
      );
      expect(store.append(id, lines)).toBe(first);
      // Never waits for a disk that refuses.
      await store.room();
    }
  }

  async function expectAll(from: LogStore, id: number, count: number): Promise<void> {
    const lines = await from.lines(id, 1, 100_000);
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(lines.every(({ seq, text }) => text === textOf(seq))).toBe(true);
  }

  it('serves lines from memory, reports why, hides deleted lines, and writes all once there is room', async () => {
    const [kept, deleted] = [store.source(identityOf('kept')), store.source(identityOf('deleted'))];
    await append(kept, 1, BEFORE);
    store.append(deleted, [newLine('to be deleted', START)]);
    await store.flush();
    expect(store.status()).toMatchObject({ state: 'ok', reason: null });

    fill();
    await append(kept, BEFORE + 1, MEANWHILE);
    await store.flush();
    await waitFor(() => store.status().state === 'degraded', 'the state degraded');
    const { reason, pendingBytes } = store.status();
    expect(reason).toMatch(/full|space|disk/i);
    expect(pendingBytes).toBeGreaterThan(0);
    await expectAll(store, kept, BEFORE + MEANWHILE);
    const { texts } = await findIn(store, { text: `line ${BEFORE + MEANWHILE} ` });
    expect(texts).toEqual([textOf(BEFORE + MEANWHILE)]);
    const page = await store.page([kept, deleted], Infinity, { before: 10, after: 0 });
    expect(page.lines.at(-1)?.line.seq).toBe(BEFORE + MEANWHILE);

    await expect(store.delete(deleted)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await store.lines(deleted, 1, 10)).toEqual([]);
    expect((await findIn(store, { text: 'to be deleted' })).texts).toEqual([]);

    // A process that is killed now loses what is in memory, and nothing else.
    const copy = join(outer, 'killed');
    cpSync(disk, copy, { recursive: true, filter: (path) => !/filler$|-shm$/.test(path) });
    const killed = await openEmbeddedLogStore(copy, NO_LIMITS, OPTIONS);
    expect(killed.notice).toBeNull();
    const { nextSeq = 0 } = killed.extent(kept) ?? {};
    expect(nextSeq).toBeGreaterThan(BEFORE);
    await expectAll(killed, kept, nextSeq - 1);
    await killed.close();

    rmSync(filler());
    await waitFor(() => store.status().state === 'ok', 'the state ok', 20_000);
    await append(kept, BEFORE + MEANWHILE + 1, 50);
    await store.flush();
    await waitFor(() => store.status().pendingBytes === 0, 'all lines to be written');
    expect(store.status()).toMatchObject({ state: 'ok', reason: null, discardedLines: 0 });
    await store.close();
    store = await openEmbeddedLogStore(disk, NO_LIMITS, OPTIONS);
    expect(store.notice).toBeNull();
    await expectAll(store, kept, BEFORE + MEANWHILE + 50);
    expect(await store.lines(deleted, 1, 10)).toEqual([]);
  });
});
