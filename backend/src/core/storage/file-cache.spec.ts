import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, reasonOf } from '../errors/index.js';
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

  it('shares one read among concurrent readers, and keeps the failure of a parser', async () => {
    const path = join(folder, 'meta.json');
    let parsed = 0;
    const cache = new FileCache(100, async (text) => {
      parsed += 1;
      await delay(1);
      if (text === 'bad') throw new DomainError('kubeconfig_unusable', 'bad');
      if (text === 'busy') throw new Error('busy');
      return text;
    });
    const readThrice = async (text: string): Promise<unknown[]> => {
      writeFileSync(path, text);
      await delay(120);
      parsed = 0;
      const read = (): Promise<unknown> => cache.read(path).catch(reasonOf);
      return [...(await Promise.all([read(), read()])), await read(), parsed];
    };
    expect(await readThrice('one')).toEqual(['one', 'one', 'one', 1]);
    expect(await readThrice('bad')).toEqual(['bad', 'bad', 'bad', 1]);
    expect(await readThrice('busy')).toEqual(['busy', 'busy', 'busy', 2]);
    expect(await readThrice('two')).toEqual(['two', 'two', 'two', 1]);
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
