import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { linesIn, OwnerSteps } from '../support/logs/owner-steps.js';
import { BlockStore } from '../../backend/src/modules/log-sources/history/block.store.js';
import { FrameReader } from '../../backend/src/modules/log-sources/history/frame-reader.js';
import type { SourceLines } from '../../backend/src/modules/log-sources/history/source-lines.js';

const DISK_KB = 4096;
const LINES = 6000;
const OPTIONS = { plainBytes: 256 * 1024, segmentBytes: 16 * 1024 };

/** A small disk of its own, in memory: that needs Linux and root, as the engines of this suite do. */
function mountDisk(at: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_KB}k`, 'small', at]);
}

function unmount(at: string): void {
  execFileSync('umount', [at]);
}

describe('a disk that is full when the log of the database is to go into its file', () => {
  let outer: string;
  let disk: string;
  let folder: string;
  let owner: OwnerSteps;

  beforeEach(() => {
    outer = mkdtempSync(join(tmpdir(), 'full-disk-'));
    disk = join(outer, 'disk');
    mkdirSync(disk);
    mountDisk(disk);
    folder = join(disk, 'logs');
    owner = new OwnerSteps(folder, OPTIONS);
  });

  afterEach(() => {
    owner.close();
    unmount(disk);
    rmSync(outer, { recursive: true });
  });

  const filler = (): string => join(disk, 'filler');

  /** Takes all room that is left. */
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

  const log = (): number => statSync(join(folder, 'logs.db-wal')).size;
  const segments = (): string[] => readdirSync(join(folder, 'logs'));
  const text = (number: number): string => `line ${number} ${hash('sha512', `${number}`, 'base64')}`;

  /** How many lines whoever reads beside the owner gets. */
  async function readable({ entries }: SourceLines): Promise<number> {
    const reader = new FrameReader(join(folder, 'logs'), () => BlockStore.reader(join(folder, 'logs.db')));
    let count = 0;
    for (const entry of entries) count += (await reader.read(entry))?.header.count ?? 0;
    reader.close();
    return count;
  }

  async function allIn(path: string): Promise<unknown> {
    const { lines, notice } = await linesIn(path);
    const found = [...(lines.get(1) ?? [])];
    return [notice, found.length, found.every(([seq, line]) => line === text(seq))];
  }

  it('keeps every line, also where the process is killed then, and goes on by itself', async () => {
    const source = owner.add(1, 'a');
    for (let first = 1; first <= LINES; first += 50) {
      owner.write(
        source,
        Array.from({ length: 50 }, (_, index) => text(first + index)),
      );
    }
    const isDue = (): boolean => owner.isWasteful && log() > OPTIONS.segmentBytes;
    // Until blocks are in the log, whose segments nobody needs any more.
    for (let step = 0; step < 1000 && !isDue(); step += 1) {
      owner.tidy();
      while (owner.release());
    }
    expect(isDue()).toBe(true);
    const before = segments();
    fill();
    for (let step = 0; step < 5; step += 1) expect(owner.tidy()).toBe(false);
    expect(owner.troubles.length).toBeGreaterThan(0);
    for (const trouble of owner.troubles) expect(trouble).toMatch(/database or disk is full/);
    // The blocks that took them over are in the log alone.
    expect(segments()).toEqual(before);
    expect(await readable(source)).toBe(LINES);
    const copy = join(outer, 'killed');
    cpSync(folder, copy, { recursive: true });
    expect(await allIn(copy)).toEqual([null, LINES, true]);
    rmSync(filler());
    const known = owner.troubles.length;
    owner.finish();
    expect([owner.troubles.length, log(), owner.isWasteful]).toEqual([known, 0, false]);
    expect(segments().length).toBeLessThan(before.length);
    owner.close();
    expect(await allIn(folder)).toEqual([null, LINES, true]);
    owner = new OwnerSteps(folder, OPTIONS);
  });
});
