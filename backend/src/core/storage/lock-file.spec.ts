import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withDatabaseLock } from './database-lock.js';
import { LockedError, withLockFile } from './lock-file.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('withLockFile', () => {
  it('has one holder at a time when many find a stale lock', async () => {
    const path = join(folder, 'config.lock');
    // Of a process that does not exist: ids on Linux are below 2 ** 22.
    writeFileSync(path, 'slipway 9999999\n');
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => withLockFile(path, 60_000, work)));
    expect(most).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes a stale lock of an earlier process with the same id', async () => {
    const path = join(folder, 'config.lock');
    writeFileSync(path, `slipway ${process.pid} AAAAAAAAAAAAAAAA\n`);
    await expect(withLockFile(path, 10_000, async () => 'done')).resolves.toBe('done');
  });

  it('waits for the lock of another program and does not remove it', async () => {
    const path = join(folder, 'config.lock');
    writeFileSync(path, '');
    await expect(withLockFile(path, 0, async () => 'done')).rejects.toThrow(LockedError);
    expect(existsSync(path)).toBe(true);
  });
});

describe('withDatabaseLock', () => {
  it('has one holder, and is released when its process is killed', async () => {
    const path = join(folder, 'secrets.lock');
    const held = `const { DatabaseSync } = require('node:sqlite'); const lock = new DatabaseSync(${JSON.stringify(path)});
      lock.exec('BEGIN EXCLUSIVE'); process.stdout.write('held'); setInterval(() => lock, 1e6);`;
    const child = spawn(process.execPath, ['-e', held], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout, 'data');
    await expect(withDatabaseLock(path, 0, async () => 'done')).rejects.toThrow(LockedError);
    child.kill('SIGKILL');
    await expect(withDatabaseLock(path, 10_000, async () => 'done')).resolves.toBe('done');
  });
});
