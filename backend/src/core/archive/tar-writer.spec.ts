import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { readTar } from './read-tar.js';
import { TarWriter } from './tar-writer.js';

const LIMITS = { entries: 10, bytes: 10_000_000, milliseconds: 10_000 };

describe('TarWriter', () => {
  it('writes a valid archive for long paths and sources of the wrong length', async () => {
    const long = `${'folder-'.repeat(30)}/${'name-'.repeat(30)}ü.log`;
    const writer = new TarWriter();
    const packed = buffer(writer.stream);
    await writer.text('a', 'hello');
    await writer.text(long, 'ü');
    await writer.file('short', 2000, [Buffer.from('x')]);
    await writer.file('long', 3, [Buffer.from('ab'), Buffer.from('cdef')]);
    await writer.file('large', 2_000_000, Array<Buffer>(20).fill(Buffer.alloc(100_000, 'z')));
    writer.end();
    const found: Record<string, string> = {};
    await readTar(
      Readable.from([await packed]),
      { limits: LIMITS, gzipped: true },
      async ({ path, content }) => {
        const text = (await buffer(content)).toString('utf8');
        found[path] = text.length > 10 ? `${text[0] ?? ''} ${text.length}` : text;
      },
    );
    expect(found).toEqual({ a: 'hello', [long]: 'ü', short: 'x 2000', long: 'abc', large: 'z 2000000' });
  });

  it('stops writing when the reader closes the stream', async () => {
    const writer = new TarWriter();
    const writing = writer.file('endless', 1e9, endless());
    setTimeout(() => writer.stream.destroy(), 10);
    await expect(writing).rejects.toThrow();
  });
});

function* endless(): Generator<Buffer> {
  for (let seed = 1; ; seed = (seed * 48271) % 2147483647) yield Buffer.alloc(65_536, String(seed));
}
