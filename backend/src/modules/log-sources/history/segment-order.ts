import { entryOf, type Entry } from './entry.js';
import { Frame, HEADER_BYTES } from './frame.js';
import { FrameBuilder } from './frame-builder.js';
import { framesIn } from './segment-file.js';
import type { SourceBook } from './source-book.js';

/** Text of one source that becomes one frame. */
const FRAME_TEXT_BYTES = 384 * 1024;

/**
 * What a segment becomes when it is written anew: each source's lines together, and only those that are wanted.
 * @param file that it is going to be.
 */
export function inOrder(
  bytes: Buffer,
  file: string,
  book: SourceBook,
): { parts: Buffer[]; entries: Entry[]; size: number } {
  const builders = new Map<number, FrameBuilder[]>();
  const notes = new Map<number, Buffer>();
  for (const { header, at } of framesIn(bytes)) {
    // The last one of a source says all that those before it do.
    if (header.kind === 'forgotten') {
      notes.set(header.source, bytes.subarray(at, at + HEADER_BYTES + header.payloadBytes));
    }
    if (header.kind !== 'lines') continue;
    const frame = Frame.at(bytes, at, header);
    if (!book.isWanted(header.source, frame.endSeq)) continue;
    const ofSource = builders.get(header.source) ?? [];
    builders.set(header.source, ofSource);
    let builder = ofSource.at(-1);
    const goesOn = builder && builder.firstSeq + builder.count === header.firstSeq;
    if (!builder || !goesOn || builder.textBytes > FRAME_TEXT_BYTES) {
      // The first effective time of what follows is never before its own first one.
      builder = new FrameBuilder(header.source, header.firstSeq, header.firstTime);
      ofSource.push(builder);
    }
    builder.addFrom(frame, 0, header.count);
  }
  const entries: Entry[] = [];
  const parts: Buffer[] = [];
  let size = 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    size += part.length;
  };
  for (const source of builders.keys()) {
    const note = book.identityNote(source);
    if (note) add(note);
  }
  notes.forEach(add);
  for (const builder of [...builders.values()].flat()) {
    const part = builder.frame(true);
    builder.release();
    const [placed] = framesIn(part);
    if (!placed) throw new Error('a frame that was just made cannot be read');
    entries.push(entryOf(placed.header, { kind: 'segment', file, at: size, length: part.length }));
    add(part);
  }
  return { parts, entries, size };
}
