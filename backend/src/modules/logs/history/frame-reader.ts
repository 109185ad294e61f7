import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockStore } from './block.store.js';
import type { Entry } from './entry.js';
import { Frame, isSound, readHeader } from './frame.js';
import { frameInMemory } from './source-lines.js';

/** Frames that were read last and their text, for the next page of the same. */
const CACHED_BYTES = 6 * 1024 * 1024;
const OPEN_FILES = 8;

/** Reads frames for the main thread, from wherever they are. */
export class FrameReader {
  private readonly cached = new Map<string, Frame>();
  private readonly files = new Map<string, Promise<FileHandle>>();
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

  /** Closes a segment that is not needed any more. */
  async release(file: string): Promise<void> {
    const opened = this.files.get(file);
    this.files.delete(file);
    await opened?.then((handle) => handle.close()).catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.files.keys()].map((file) => this.release(file)));
    this.cached.clear();
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
    try {
      const handle = await this.handle(file);
      const bytes = Buffer.allocUnsafeSlow(length);
      const { bytesRead } = await handle.read(bytes, 0, length, at);
      const header = bytesRead === length ? readHeader(bytes, 0) : undefined;
      return header && isSound(bytes, 0, header) ? Frame.at(bytes, 0, header) : undefined;
    } catch {
      return undefined;
    }
  }

  private handle(file: string): Promise<FileHandle> {
    const known = this.files.get(file);
    if (known) return known;
    const [oldest] = this.files.keys();
    if (oldest !== undefined && this.files.size >= OPEN_FILES) void this.release(oldest);
    const opened = open(join(this.folder, file), 'r');
    this.files.set(file, opened);
    opened.catch(() => this.files.delete(file));
    return opened;
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
