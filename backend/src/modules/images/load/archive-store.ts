import { randomBytes } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { DataDirectory } from '../../../core/storage/index.js';

/** Disk space that archives leave free for the engine and for Slipway's other files. */
const RESERVE_BYTES = 1_000_000_000;
/** How much is written between two checks of the free space. */
const CHECK_EVERY_BYTES = 16_000_000;

export interface WriteOptions {
  signal?: AbortSignal;
  onBytes?: (written: number) => void;
}

/**
 * Image archives that jobs load into nodes, as private files that live as long as their job. They are in the data
 * folder, because the system's temporary folder is often in memory.
 */
@Injectable()
export class ArchiveStore implements OnModuleInit {
  /** Bytes of reserved archives that are not written yet. */
  private readonly outstanding = new Map<string, number>();

  constructor(private readonly dataDirectory: DataDirectory) {}

  /** Removes the files of a previous run: its jobs end as `interrupted`. */
  async onModuleInit(): Promise<void> {
    for (const file of await readdir(this.folder).catch(() => [])) await this.remove(file);
  }

  newName(): string {
    return `${randomBytes(12).toString('hex')}.tar`;
  }

  file(name: string): string {
    if (!/^[0-9a-f]{24}\.tar$/.test(name)) throw new Error('invalid archive name');
    return join(this.folder, name);
  }

  /**
   * Reserves disk space for an archive until it is written.
   * @throws DomainError `storage_unavailable` if the archive does not fit together with the others.
   */
  async reserve(name: string, bytes: number): Promise<void> {
    this.outstanding.set(name, bytes);
    try {
      await this.assertFits(bytes);
    } catch (error) {
      this.outstanding.delete(name);
      throw error;
    }
  }

  /**
   * @param bytes size of the archive, for the message.
   * @throws DomainError `storage_unavailable`
   */
  private async assertFits(bytes: number): Promise<void> {
    const free = await this.free();
    const all = this.outstanding.values().reduce((sum, one) => sum + one, 0);
    if (all <= free - RESERVE_BYTES) return;
    throw new DomainError(
      'storage_unavailable',
      `An archive of ${gigabytes(bytes)} GB does not fit on the disk of the data folder. ${gigabytes(free)} GB are free, of which ${gigabytes(RESERVE_BYTES)} GB must stay free. Free disk space, or set APP_DATA_DIR to a larger disk.`,
    );
  }

  /**
   * Writes a stream to an archive. If the stream is interrupted or the disk is full, the file is removed.
   * @returns its size in bytes.
   * @throws DomainError `storage_unavailable`
   */
  async write(name: string, content: Readable, { signal, onBytes }: WriteOptions = {}): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    let written = 0;
    let nextCheck = CHECK_EVERY_BYTES;
    const checkSpace = async (): Promise<void> => {
      if (written < nextCheck) return;
      nextCheck = written + CHECK_EVERY_BYTES;
      await this.assertFits(written);
    };
    const meter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        written += chunk.length;
        const remaining = this.outstanding.get(name);
        if (remaining !== undefined) this.outstanding.set(name, Math.max(0, remaining - chunk.length));
        onBytes?.(written);
        checkSpace().then(() => done(null, chunk), done);
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
