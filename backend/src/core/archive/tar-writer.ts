import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { createGzip, type Gzip } from 'node:zlib';
import { Header, Pax } from 'tar';

const BLOCK = 512;
const ZEROS = Buffer.alloc(128 * BLOCK);

/** Writes a gzipped tar as a stream, without temporary files. */
export class TarWriter {
  private readonly gzip: Gzip;

  /**
   * @param mtime modification time of all entries.
   * @param level of the compression, 1 (fast) to 9.
   */
  constructor(
    private readonly mtime = new Date(),
    level = 6,
  ) {
    this.gzip = createGzip({ level });
  }

  /** The archive. Destroying it ends the writing. */
  get stream(): Readable {
    return this.gzip;
  }

  async text(path: string, text: string): Promise<void> {
    const content = Buffer.from(text, 'utf8');
    await this.file(path, content.length, [content]);
  }

  /**
   * @param size bytes of the content, known in advance. Longer content is truncated and shorter content is padded with
   * zeros, so that the archive stays valid. @throws the error of the content, after padding.
   */
  async file(path: string, size: number, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
    await this.writeHeader(path, size);
    let missing = size;
    try {
      for await (const chunk of content) {
        if (missing > 0) await this.write(chunk.subarray(0, missing));
        missing = Math.max(0, missing - chunk.length);
      }
    } finally {
      if (!this.gzip.destroyed) await this.writeZeros(missing + ((BLOCK - (size % BLOCK)) % BLOCK));
    }
  }

  end(): void {
    this.gzip.end(Buffer.alloc(2 * BLOCK));
  }

  private async writeHeader(path: string, size: number): Promise<void> {
    const header = new Header({ path, type: 'File', mode: 0o600, mtime: this.mtime, size });
    const head = Buffer.alloc(BLOCK);
    // A path longer than the header's own field goes into a pax record before it.
    if (header.encode(head)) await this.write(new Pax({ path, size }).encode());
    await this.write(head);
  }

  private async writeZeros(count: number): Promise<void> {
    for (let left = count; left > 0; left -= ZEROS.length) await this.write(ZEROS.subarray(0, left));
  }

  private async write(bytes: Buffer): Promise<void> {
    if (this.gzip.destroyed) throw new Error('the reader of the archive is closed');
    if (!this.gzip.write(bytes)) {
      const closed = new AbortController();
      const onClose = (): void => closed.abort();
      this.gzip.once('close', onClose);
      try {
        await once(this.gzip, 'drain', { signal: closed.signal });
      } finally {
        this.gzip.off('close', onClose);
      }
    }
  }
}
