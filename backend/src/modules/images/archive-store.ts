import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { DataDirectory } from '../../core/storage/index.js';

/** What an archive leaves free on the disk: the rest of the product, and the engine, still have to write. */
const RESERVE_BYTES = 1_000_000_000;
/** How much is written between two looks at the disk. */
const LOOK_EVERY_BYTES = 16_000_000;

export interface WriteOptions {
  signal?: AbortSignal;
  onBytes?: (written: number) => void;
}

/**
 * Image archives on their way into nodes: private files that live as long as the job that they are for.
 * They lie in the data folder and not in the system's one for temporary files, which is often kept in memory.
 */
@Injectable()
export class ArchiveStore implements OnModuleInit {
  /** Bytes that are still to be written of archives whose size was announced. */
  private readonly outstanding = new Map<string, number>();

  constructor(private readonly dataDirectory: DataDirectory) {}

  /** Nothing that an earlier run wrote is of use: its jobs end `interrupted`, its uploads broke off. */
  async onModuleInit(): Promise<void> {
    for (const file of await readdir(this.folder).catch(() => [])) await this.remove(file);
  }

  /** A name for an archive that does not exist yet. */
  newName(): string {
    return `${randomBytes(12).toString('hex')}.tar`;
  }

  file(name: string): string {
    if (!/^[0-9a-f]{24}\.tar$/.test(name)) throw new Error('this is not the name of an archive');
    return join(this.folder, name);
  }

  /**
   * Keeps room for an archive until it is written.
   * @throws DomainError `storage_unavailable` where so many bytes do not fit beside those of other archives.
   */
  async reserve(name: string, bytes: number): Promise<void> {
    this.outstanding.set(name, bytes);
    try {
      await this.assertRoom(bytes);
    } catch (error) {
      this.outstanding.delete(name);
      throw error;
    }
  }

  /**
   * @param bytes of the archive, for the message.
   * @throws DomainError `storage_unavailable` where what is on its way does not fit.
   */
  private async assertRoom(bytes: number): Promise<void> {
    const free = await this.free();
    const all = this.outstanding.values().reduce((sum, one) => sum + one, 0);
    if (all <= free - RESERVE_BYTES) return;
    throw new DomainError(
      'storage_unavailable',
      `An archive of ${gigabytes(bytes)} GB does not fit on the disk of the data folder: ${gigabytes(free)} GB are free, and ${gigabytes(RESERVE_BYTES)} GB of them are kept. Make room, or set APP_DATA_DIR to a larger disk.`,
    );
  }

  /**
   * Writes a stream to an archive; when it breaks off or the disk is full, nothing of it stays.
   * @returns its size in bytes.
   * @throws DomainError `storage_unavailable`
   */
  async write(name: string, content: Readable, { signal, onBytes }: WriteOptions = {}): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    let written = 0;
    let lookAt = LOOK_EVERY_BYTES;
    const look = async (): Promise<void> => {
      if (written < lookAt) return;
      lookAt = written + LOOK_EVERY_BYTES;
      await this.assertRoom(written);
    };
    const meter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        written += chunk.length;
        const left = this.outstanding.get(name);
        if (left !== undefined) this.outstanding.set(name, Math.max(0, left - chunk.length));
        onBytes?.(written);
        look().then(() => done(null, chunk), done);
      },
    });
    try {
      await pipeline(content, meter, this.open(name), { signal });
      return written;
    } catch (error) {
      await this.remove(name);
      throw error;
    } finally {
      this.outstanding.delete(name);
    }
  }

  async remove(name: string): Promise<void> {
    this.outstanding.delete(name);
    await rm(join(this.folder, name), { force: true, recursive: true });
  }

  protected open(name: string): WriteStream {
    return createWriteStream(this.file(name), { mode: 0o600, flags: 'wx' });
  }

  private get folder(): string {
    return this.dataDirectory.archives;
  }

  protected async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.dataDirectory.root);
    return bavail * bsize;
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
