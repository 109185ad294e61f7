import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  type WriteStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../../core/config/index.js';
import { storageFailure } from '../../../core/errors/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { ArchiveStore } from './archive-store.js';

/** The kernel reports a full disk for every write. */
class StoreOnFullDisk extends ArchiveStore {
  protected override open(name: string): WriteStream {
    writeFileSync(this.file(name), '');
    return createWriteStream('/dev/full');
  }
}

/** On a disk with 30 MB beside the reserve. */
class StoreOnSmallDisk extends ArchiveStore {
  constructor(private readonly directory: DataDirectory) {
    super(directory);
  }

  protected override free(): Promise<number> {
    const files = readdirSync(this.directory.archives).map((name) => join(this.directory.archives, name));
    const written = files.reduce((sum, file) => sum + statSync(file).size, 0);
    return Promise.resolve(1_030_000_000 - written);
  }
}

describe('ArchiveStore', () => {
  let root: string;
  let directory: DataDirectory;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'archive-store-'));
    directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const endless = (): Readable => Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)));

  it('writes a stream and reports the written bytes', async () => {
    const store = new ArchiveStore(directory);
    const name = store.newName();
    const seen: number[] = [];
    expect(await store.write(name, endless(), { onBytes: (bytes) => seen.push(bytes) })).toBe(4_000_000);
    expect(seen.at(-1)).toBe(4_000_000);
    expect(readdirSync(directory.archives)).toEqual([name]);
  });

  it('reports a full disk and removes the partial file', async () => {
    const store = new StoreOnFullDisk(directory);
    const failure: unknown = await store.write(store.newName(), endless()).catch((error: unknown) => error);
    expect(storageFailure(failure)).toContain('no space is left on its disk');
    expect(readdirSync(directory.archives)).toEqual([]);
  });

  it('removes the file of an interrupted or cancelled stream', async () => {
    const store = new ArchiveStore(directory);
    const cut = Readable.from(
      (function* (): Generator<Buffer> {
        yield Buffer.alloc(1000);
        throw new Error('connection lost');
      })(),
    );
    await expect(store.write(store.newName(), cut)).rejects.toThrow('connection lost');
    const cancel = new AbortController();
    const writing = store.write(store.newName(), endless(), {
      signal: cancel.signal,
      onBytes: () => cancel.abort(),
    });
    await expect(writing).rejects.toThrow('abort');
    expect(readdirSync(directory.archives)).toEqual([]);
  });

  it('rejects a reservation that does not fit, with the free space', async () => {
    const store = new ArchiveStore(directory);
    await store.reserve(store.newName(), 1000);
    await expect(store.reserve(store.newName(), 1e15)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/^An archive of 1000000\.0 GB does not fit .* GB are free/),
    });
  });

  it('counts a reservation until its archive is written or removed', async () => {
    const store = new ArchiveStore(directory);
    const { bavail, bsize } = statfsSync(root);
    const most = (bavail * bsize - 1e9) * 0.6;
    const [first, second] = [store.newName(), store.newName()];
    await store.reserve(first, most);
    await expect(store.reserve(second, most)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await store.remove(first);
    await store.reserve(second, most);
    await store.write(second, Readable.from([Buffer.alloc(10)]));
    await store.reserve(first, most);
  });

  it('checks the free space for archives without a reservation', async () => {
    const store = new StoreOnSmallDisk(directory);
    const content = (): Readable => Readable.from(Array.from({ length: 25 }, () => Buffer.alloc(1_000_000)));
    expect(await store.write(store.newName(), content())).toBe(25_000_000);
    await expect(store.write(store.newName(), content())).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(readdirSync(directory.archives)).toHaveLength(1);
  });

  it('removes archives of a previous run at startup', async () => {
    const store = new ArchiveStore(directory);
    await store.write(store.newName(), endless());
    await new ArchiveStore(directory).onModuleInit();
    expect(readdirSync(directory.archives)).toEqual([]);
  });
});
