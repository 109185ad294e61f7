import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { Header, Pax } from 'tar';
import { entryOfType } from '../../../../test/support/hostile/hostile-archives.js';
import { ArchiveLimitError, escapesRoot, readTar, type ArchiveLimits, type TarEntry } from './read-tar.js';

const LIMITS: ArchiveLimits = { entries: 100, bytes: 1_000_000, milliseconds: 10_000 };
const END = Buffer.alloc(1024);

function file(path: string, content = ''): Buffer {
  const header = Buffer.alloc(512);
  new Header({ path, type: 'File', size: Buffer.byteLength(content), mode: 0o600 }).encode(header, 0);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

function inPieces(archive: Buffer, size = 700): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(archive.length / size) }, (_, index) =>
      archive.subarray(index * size, (index + 1) * size),
    ),
  );
}

async function read(
  archive: Buffer,
  limits: Partial<ArchiveLimits> = {},
  gzipped = false,
): Promise<string[]> {
  const seen: string[] = [];
  await readTar(inPieces(archive), { limits: { ...LIMITS, ...limits }, gzipped }, async (entry) => {
    const chunks: Buffer[] = [];
    for await (const chunk of entry.content) {
      await delay(1);
      chunks.push(chunk);
    }
    seen.push(`${entry.path} ${entry.type} ${Buffer.concat(chunks).length}`);
  });
  return seen;
}

describe('readTar', () => {
  const archive = Buffer.concat([file('a', 'x'.repeat(3000)), file('b/c', 'y'), file('empty'), END]);

  it('visits one entry after the other, with or without gzip', async () => {
    const all = ['a File 3000', 'b/c File 1', 'empty File 0'];
    expect(await read(archive)).toEqual(all);
    expect(await read(gzipSync(archive), {}, true)).toEqual(all);
  });

  it('skips content that is not read', async () => {
    const paths: string[] = [];
    await readTar(inPieces(archive), { limits: LIMITS }, ({ path }) => void paths.push(path));
    expect(paths).toEqual(['a', 'b/c', 'empty']);
  });

  it.each([
    ['too many entries', { entries: 2 }, 'it holds more than 2 files'],
    ['too many bytes', { bytes: 2_000 }, 'it unpacks to more than 0 MB'],
  ])('is not read to its end with %s', async (_what, limits, message) => {
    await expect(read(archive, limits)).rejects.toThrow(message);
    await expect(read(archive, limits)).rejects.toBeInstanceOf(ArchiveLimitError);
  });

  it('stops an archive that decompresses to gigabytes', async () => {
    const bomb = gzipSync(Buffer.concat([file('bomb', 'x'.repeat(50_000_000)), END]));
    await expect(read(bomb, {}, true)).rejects.toThrow('it unpacks to more than 1 MB');
  });

  it('stops an endless archive', async () => {
    const endless = new Readable({ read: () => undefined });
    endless.push(file('a', 'a'));
    const options = { limits: { ...LIMITS, milliseconds: 50 } };
    await expect(readTar(endless, options, () => undefined)).rejects.toThrow(
      'it takes longer than 0.05 s to read',
    );
  });

  it.each([
    ['breaks off', archive.subarray(0, 2000)],
    ['is plain text', Buffer.from('hello '.repeat(200))],
  ])('that %s is an error', async (_what, bytes) => {
    await expect(read(bytes)).rejects.toThrow();
  });

  it.each([
    ['packed twice', gzipSync(gzipSync(archive))],
    ['packed twice, in pieces of one byte', gzipSync(gzipSync(archive)), 1],
  ])('is refused %s', async (_what, bytes, size = 700) => {
    const options = { limits: LIMITS, gzipped: true };
    await expect(readTar(inPieces(bytes, size), options, () => undefined)).rejects.toThrow('packed twice');
  });

  it.each([
    ['a sparse file', entryOfType({ path: 'x', flag: 'S' })],
    ['an extended header of a megabyte', new Pax({ path: 'x'.repeat(2_000_000) }).encode()],
  ])('is refused with %s, which other programs read', async (_what, bytes) => {
    await expect(read(Buffer.concat([bytes, archive]), { bytes: 5_000_000 })).rejects.toThrow(
      'cannot be read',
    );
  });

  it('throws the error of a visit', async () => {
    const visit = ({ path }: TarEntry): void => {
      if (path === 'b/c') throw new Error('no');
    };
    await expect(readTar(inPieces(archive), { limits: LIMITS }, visit)).rejects.toThrow('no');
  });
});

describe('escapesRoot', () => {
  it.each(['/etc/passwd', '../x', 'a/../../x', 'a/..', 'C:/x', 'c:x', 'a\\..\\x', 'a\0b'])(
    'leads out: %j',
    (path) => expect(escapesRoot(path)).toBe(true),
  );

  it.each(['a', './a', 'a/b..c', '..a/b', 'a/...'])('is false for %j', (path) => {
    expect(escapesRoot(path)).toBe(false);
  });
});
