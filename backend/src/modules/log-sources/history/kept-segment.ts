import type { Entry } from './entry.js';
import { HEADER_BYTES, readHeader } from './frame.js';
import type { SegmentName } from './segment-file.js';

/** A segment that is kept, and how much of it is lines that are wanted. */
export class KeptSegment {
  private readonly frames = new Map<number, { endSeq: number; bytes: number }[]>();
  private wanted = 0;

  constructor(
    readonly name: SegmentName,
    public size: number,
  ) {}

  add(entries: readonly Pick<Entry, 'source' | 'endSeq' | 'diskBytes'>[]): void {
    for (const { source, endSeq, diskBytes } of entries) this.addFrame(source, endSeq, diskBytes);
  }

  /** Takes note of frames as they were made, one after the other. */
  addWritten(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const header = readHeader(bytes, at);
      if (!header) return;
      const length = HEADER_BYTES + header.payloadBytes;
      this.addFrame(header.source, header.firstSeq + header.count, length);
      at += length;
    }
  }

  /** Lines of a source before this one are not wanted. @returns whether it has some that it was not told of before. */
  forget(source: number, firstSeq: number): boolean {
    const frames = this.frames.get(source);
    // They are in their order: where the first one stays, all do.
    if (!frames || (frames[0]?.endSeq ?? Infinity) > firstSeq) return false;
    const left = frames.filter(({ endSeq }) => endSeq > firstSeq);
    for (const { endSeq, bytes } of frames) if (endSeq <= firstSeq) this.wanted -= bytes;
    if (left.length > 0) this.frames.set(source, left);
    else this.frames.delete(source);
    return true;
  }

  /** No line of it is wanted. */
  get isUnwanted(): boolean {
    return this.frames.size === 0;
  }

  /** Half of it or more would go if it were written anew. */
  get isMostlyUnwanted(): boolean {
    return this.wanted <= this.size / 2;
  }

  private addFrame(source: number, endSeq: number, bytes: number): void {
    const frames = this.frames.get(source);
    if (frames) frames.push({ endSeq, bytes });
    else this.frames.set(source, [{ endSeq, bytes }]);
    this.wanted += bytes;
  }
}
