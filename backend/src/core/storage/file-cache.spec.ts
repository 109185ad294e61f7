import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCache } from './file-cache.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-cache-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('FileCache', () => {
  it('parses a file once until it changes, is replaced or is deleted', async () => {
    const path = join(folder, 'meta.json');
    let parsed = 0;
    const cache = new FileCache(100, (text) => `${text} ${(parsed += 1)}`);
    writeFileSync(path, 'one');
    await delay(120);
    expect([await cache.read(path), await cache.read(path)]).toEqual(['one 1', 'one 1']);
    // In place, with the same size and the same modification time.
    utimesSync(path, 1000, 1000);
    writeFileSync(path, 'two');
    utimesSync(path, 1000, 1000);
    expect(await cache.read(path)).toBe('two 2');
    writeFileSync(`${path}.new`, 'six');
    renameSync(`${path}.new`, path);
    expect(await cache.read(path)).toBe('six 3');
    rmSync(path);
    expect(await cache.read(path)).toBeUndefined();
  });

  it('does not trust the times of a file that has just changed', async () => {
    const path = join(folder, 'meta.json');
    const cache = new FileCache(100, (text) => text);
    writeFileSync(path, 'one');
    expect(await cache.read(path)).toBe('one');
    writeFileSync(path, 'two');
    expect(await cache.read(path)).toBe('two');
  });
});
