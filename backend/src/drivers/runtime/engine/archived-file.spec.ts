import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Header } from 'tar';
import { readArchivedFile } from './archived-file.js';

type EntryType = 'File' | 'Directory' | 'SymbolicLink';

function entry(path: string, type: EntryType, content = ''): Buffer {
  const header = Buffer.alloc(512);
  new Header({ path, type, size: Buffer.byteLength(content), mode: 0o600, linkpath: '' }).encode(header, 0);
  const padding = Buffer.alloc((512 - (Buffer.byteLength(content) % 512)) % 512);
  return Buffer.concat([header, Buffer.from(content), padding]);
}

const END = Buffer.alloc(1024);

describe('readArchivedFile', () => {
  it('returns the text for chunks of any size', async () => {
    const archive = Buffer.concat([entry('kubeadm.conf', 'File', 'kind: ü\n'.repeat(200)), END]);
    for (const size of [1, 511, 512, 5000]) {
      const pieces = Array.from({ length: Math.ceil(archive.length / size) }, (_, index) =>
        archive.subarray(index * size, (index + 1) * size),
      );
      expect(await readArchivedFile(Readable.from(pieces), 10_000)).toBe('kind: ü\n'.repeat(200));
    }
  });

  it('returns an empty file', async () => {
    expect(await readArchivedFile(Readable.from([entry('version', 'File'), END]), 10)).toBe('');
  });

  it('does not read a file that is too large, or further entries', async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        yield entry('large', 'File', 'x'.repeat(100_000));
        for (;;) {
          sent += 1;
          yield Buffer.alloc(10_000);
        }
      })(),
    );
    expect(await readArchivedFile(endless, 50_000)).toBeUndefined();
    expect(sent).toBeLessThan(20);
  });

  it('returns undefined for a folder or a link', async () => {
    const folder = [entry('kind/', 'Directory'), entry('kind/version', 'File', 'v1'), END];
    expect(await readArchivedFile(Readable.from(folder), 100)).toBeUndefined();
    const link = [entry('version', 'SymbolicLink'), END];
    expect(await readArchivedFile(Readable.from(link), 100)).toBeUndefined();
  });

  it('returns undefined for an incomplete or invalid archive', async () => {
    const whole = entry('version', 'File', 'x'.repeat(2000));
    expect(await readArchivedFile(Readable.from([whole.subarray(0, 1000)]), 5000)).toBeUndefined();
    expect(await readArchivedFile(Readable.from([Buffer.from('{"message":"no"}')]), 5000)).toBeUndefined();
    expect(await readArchivedFile(Readable.from([]), 5000)).toBeUndefined();
  });
});
