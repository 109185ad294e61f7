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
import { readConfiguration } from '../../core/config/index.js';
import { storageFailure } from '../../core/errors/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import { ArchiveStore } from './archive-store.js';

/** Its file is begun as ever, and takes no byte: the kernel says so of its own accord. */
class StoreOnFullDisk extends ArchiveStore {
  protected override open(name: string): WriteStream {
    writeFileSync(this.file(name), '');
    return createWriteStream('/dev/full');
  }
}

/** On a disk that has 30 MB beside what is kept free. */
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

describe('archives on the disk', () => {
  let root: string;
  let directory: DataDirectory;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'archive-store-'));
    directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const endless = (): Readable => Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(100_000)));

  it('are written whole, counted while they are', async () => {
    const store = new ArchiveStore(directory);
    const name = store.newName();
    const seen: number[] = [];
    expect(await store.write(name, endless(), { onBytes: (bytes) => seen.push(bytes) })).toBe(4_000_000);
    expect(seen.at(-1)).toBe(4_000_000);
    expect(readdirSync(directory.archives)).toEqual([name]);
  });

  it('that the disk has no room for leave nothing, and say that it is the disk', async () => {
    const store = new StoreOnFullDisk(directory);
    const failure: unknown = await store.write(store.newName(), endless()).catch((error: unknown) => error);
    expect(storageFailure(failure)).toContain('no room is left on its disk');
    expect(readdirSync(directory.archives)).toEqual([]);
  });

  it('that are cut off by their sender or cancelled leave nothing', async () => {
    const store = new ArchiveStore(directory);
    const cut = Readable.from(
      (function* (): Generator<Buffer> {
        yield Buffer.alloc(1000);
        throw new Error('the line is dead');
      })(),
    );
    await expect(store.write(store.newName(), cut)).rejects.toThrow('the line is dead');
    const cancel = new AbortController();
    const writing = store.write(store.newName(), endless(), {
      signal: cancel.signal,
      onBytes: () => cancel.abort(),
    });
    await expect(writing).rejects.toThrow('abort');
    expect(readdirSync(directory.archives)).toEqual([]);
  });

  it('of which more is announced than fits are refused with what is free', async () => {
    const store = new ArchiveStore(directory);
    await store.reserve(store.newName(), 1000);
    await expect(store.reserve(store.newName(), 1e15)).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringMatching(/^An archive of 1000000\.0 GB does not fit .* GB are free/),
    });
  });

  it('fit beside each other: what others announced counts until it is written or removed', async () => {
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

  it('whose sizes were not announced do not fill the disk together', async () => {
    const store = new StoreOnSmallDisk(directory);
    const content = (): Readable => Readable.from(Array.from({ length: 25 }, () => Buffer.alloc(1_000_000)));
    expect(await store.write(store.newName(), content())).toBe(25_000_000);
    await expect(store.write(store.newName(), content())).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(readdirSync(directory.archives)).toHaveLength(1);
  });

  it('that an earlier run left are removed at the start', async () => {
    const store = new ArchiveStore(directory);
    await store.write(store.newName(), endless());
    await new ArchiveStore(directory).onModuleInit();
    expect(readdirSync(directory.archives)).toEqual([]);
  });
});
