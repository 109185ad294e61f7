import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { dockerArchive, ociArchive, tarOf } from '../../../../test/support/images/archives.js';
import { Header } from 'tar';
import { readImageArchive, type ArchivedImage } from './image-archive.js';

describe('readImageArchive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'archives-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const read = async (bytes: Buffer): Promise<ArchivedImage[]> => {
    const file = join(folder, 'archive.tar');
    writeFileSync(file, bytes);
    return await readImageArchive(file);
  };

  it('lists the images of a Docker archive, compressed or not', async () => {
    const { bytes, id } = dockerArchive(['app:dev', 'app:2']);
    expect(await read(bytes)).toEqual([{ id, references: ['app:dev', 'app:2'] }]);
    expect(await read(gzipSync(bytes))).toEqual([{ id, references: ['app:dev', 'app:2'] }]);
  });

  it('returns only the id of an image without a name', async () => {
    const { bytes, id } = dockerArchive([]);
    expect(await read(bytes)).toEqual([{ id, references: [] }]);
  });

  it.each([0, 1])('lists the images of an OCI archive with %d nested indexes', async (indexes) => {
    const { bytes, id } = ociArchive('localhost/app:dev', indexes);
    expect(await read(bytes)).toEqual([{ id, references: ['localhost/app:dev'] }]);
  });

  it('rejects a decompression bomb without holding it in memory', async () => {
    const header = Buffer.alloc(512);
    new Header({ path: 'layer.tar', size: 5e9, mode: 0o644, type: 'File' }).encode(header);
    const piece = gzipSync(Buffer.alloc(20_000_000));
    const before = process.memoryUsage().rss;
    await expect(
      read(Buffer.concat([gzipSync(header), ...Array<Buffer>(60).fill(piece)])),
    ).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining('unpacks to more than'),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
  });

  it.each([
    ['text', Buffer.from('this is not an archive'.repeat(40)), 'cannot be read as a tar archive'],
    ['another archive', tarOf({ 'notes.txt': 'hello' }), 'neither manifest.json nor index.json'],
    ['a broken manifest', tarOf({ 'manifest.json': '{' }), 'its manifest.json is not valid JSON'],
    ['an empty manifest', tarOf({ 'manifest.json': '[]' }), 'lists no image'],
    ['an empty index', tarOf({ 'index.json': '{"manifests":[]}' }), 'refers to no image'],
    [
      'an incomplete archive',
      dockerArchive(['app:dev'], 5000).bytes.subarray(0, 3000),
      'cannot be read as a tar archive',
    ],
  ])('rejects %s', async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'archive_refused',
      message: expect.stringContaining(reason),
    });
  });
});
