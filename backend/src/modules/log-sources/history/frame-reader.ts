import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockStore } from './block.store.js';
import type { Entry } from './entry.js';
import { Frame, isSound, readHeader } from './frame.js';
import { frameInMemory } from './source-lines.js';

/** Frames that were read last and their text, for the next page of the same. */
const CACHED_BYTES = 6 * 1024 * 1024;
const OPEN_FILES = 8;
/** Frames that are not at hand any more and wait for those who work with them. */
const MOST_LEAVING = 32;

interface OpenFile {
  handle: Promise<FileHandle>;
  /** Reads that are not done. */
  users: number;
}

interface ReadFrame {
  frame: Frame;
  /** What it was read into, where nothing else is in it. */
  bytes: Buffer | undefined;
}

/**
 * Reads frames for the main thread, from wherever they are. Their memory is given back as soon as nobody works with
 * frames: V8 collects all of its heap after some ten megabytes of new buffers, which twenty pages from anywhere have.
 */
export class FrameReader {
  private readonly cached = new Map<string, ReadFrame>();
  /** No longer at hand; who works just now may still read them. */
  private leaving: ReadFrame[] = [];
  private users = 0;
  private readonly files = new Map<string, OpenFile>();
  private cachedBytes = 0;
  private store: BlockStore | undefined;

  constructor(
    private readonly folder: string,
    private readonly openStore: () => BlockStore,
  ) {}

  /** Frames are read within this work, and nothing but copies of what is in them stays behind it. */
  async during<TResult>(work: () => Promise<TResult>): Promise<TResult> {
    this.users += 1;
    try {
      return await work();
    } finally {
      this.users -= 1;
      if (this.users === 0) {
        for (const { frame, bytes } of this.leaving) frame.giveBack(bytes);
        this.leaving = [];
      }
    }
  }

  /**
   * To be called `during` work.
   * @returns undefined where the entry is out of date, because its segment was written anew, or its file is damaged
   * there.
   */
  async read(entry: Entry): Promise<Frame | undefined> {
    const { place } = entry;
    if (place.kind === 'memory') return frameInMemory(place.bytes);
    const key = place.kind === 'block' ? `${place.id}` : `${place.file}/${place.at}`;
    const known = this.cached.get(key);
    if (known) {
      this.cached.delete(key);
      this.cached.set(key, known);
      return known.frame;
    }
    const read =
      place.kind === 'block'
        ? this.block(place.id)
        : await this.inSegment(place.file, place.at, place.length);
    if (!read) return undefined;
    const { frame } = read;
    if (frame.header.source !== entry.source || frame.header.firstSeq !== entry.firstSeq) return undefined;
    this.keep(key, read);
    return frame;
  }

  /** Closes a segment that is not needed any more, once nobody reads it. */
  release(file: string): void {
    const opened = this.files.get(file);
    this.files.delete(file);
    if (opened?.users === 0) closeQuietly(opened);
  }

  /** Forgets what it has read: another frame may be in its place. */
  forget(): void {
    for (const file of [...this.files.keys()]) this.release(file);
    for (const key of [...this.cached.keys()]) this.drop(key);
  }

  close(): void {
    this.forget();
    this.store?.close();
  }

  private block(id: number): ReadFrame | undefined {
    this.store ??= this.openStore();
    try {
      const frame = this.store.frame(id);
      return frame && { frame, bytes: undefined };
    } catch {
      return undefined;
    }
  }

  private async inSegment(file: string, at: number, length: number): Promise<ReadFrame | undefined> {
    let opened = this.files.get(file);
    if (!opened) {
      opened = { handle: open(join(this.folder, file), 'r'), users: 0 };
      this.files.set(file, opened);
    }
    opened.users += 1;
    try {
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await (await opened.handle).read(bytes, 0, length, at);
      const header = bytesRead === length ? readHeader(bytes, 0) : undefined;
      return header && isSound(bytes, 0, header) ? { frame: Frame.at(bytes, 0, header), bytes } : undefined;
    } catch {
      this.files.delete(file);
      return undefined;
    } finally {
      opened.users -= 1;
      if (opened.users === 0) this.closeUnused(file, opened);
    }
  }

  /** Keeps the files open that were read last, and none that was released meanwhile. */
  private closeUnused(file: string, opened: OpenFile): void {
    if (this.files.get(file) !== opened) closeQuietly(opened);
    for (const [name, { users }] of this.files) {
      if (this.files.size <= OPEN_FILES) return;
      if (users === 0) this.release(name);
    }
  }

  private keep(key: string, read: ReadFrame): void {
    // Two may have read it at the same time.
    this.drop(key);
    this.cached.set(key, read);
    this.cachedBytes += read.frame.text.length;
    for (const oldest of this.cached.keys()) {
      if (this.cachedBytes <= CACHED_BYTES || oldest === key) return;
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    const known = this.cached.get(key);
    if (!known) return;
    this.cached.delete(key);
    this.cachedBytes -= known.frame.text.length;
    this.leaving.push(known);
    // Where somebody always works, the collector takes them as it takes everything else.
    if (this.leaving.length > MOST_LEAVING) this.leaving.shift();
  }
}

function closeQuietly({ handle }: OpenFile): void {
  handle.then((file) => file.close()).catch(() => undefined);
}
