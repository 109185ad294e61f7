import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockStore } from './block.store.js';
import type { Entry } from './entry.js';
import { Frame, isSound, readHeader } from './frame.js';
import { frameInMemory } from './source-lines.js';

/** Frames that were read last and their text, for the next page of the same. */
const CACHED_BYTES = 6 * 1024 * 1024;
const OPEN_FILES = 8;

interface OpenFile {
  handle: Promise<FileHandle>;
  /** Reads that are not done. */
  users: number;
}

/** Reads frames for the main thread, from wherever they are. */
export class FrameReader {
  private readonly cached = new Map<string, Frame>();
  private readonly files = new Map<string, OpenFile>();
  private cachedBytes = 0;
  private store: BlockStore | undefined;

  constructor(
    private readonly folder: string,
    private readonly openStore: () => BlockStore,
  ) {}

  /**
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
      return known;
    }
    const frame =
      place.kind === 'block'
        ? this.block(place.id)
        : await this.inSegment(place.file, place.at, place.length);
    if (frame?.header.source !== entry.source || frame.header.firstSeq !== entry.firstSeq) return undefined;
    this.keep(key, frame);
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
    this.cached.clear();
    this.cachedBytes = 0;
  }

  close(): void {
    this.forget();
    this.store?.close();
  }

  private block(id: number): Frame | undefined {
    this.store ??= this.openStore();
    try {
      return this.store.frame(id);
    } catch {
      return undefined;
    }
  }

  private async inSegment(file: string, at: number, length: number): Promise<Frame | undefined> {
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
      return header && isSound(bytes, 0, header) ? Frame.at(bytes, 0, header) : undefined;
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

  private keep(key: string, frame: Frame): void {
    this.cached.set(key, frame);
    this.cachedBytes += frame.text.length;
    for (const [oldest, { text }] of this.cached) {
      if (this.cachedBytes <= CACHED_BYTES || oldest === key) return;
      this.cached.delete(oldest);
      this.cachedBytes -= text.length;
    }
  }
}

function closeQuietly({ handle }: OpenFile): void {
  handle.then((file) => file.close()).catch(() => undefined);
}
