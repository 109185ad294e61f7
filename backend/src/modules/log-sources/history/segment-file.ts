import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { HEADER_BYTES, isSound, MAGIC, readHeader, type FrameHeader } from './frame.js';

const MAGIC_BYTES = Buffer.alloc(4);
MAGIC_BYTES.writeUInt32LE(MAGIC);

/**
 * A segment is named by its number and by how often it was written anew. Generation 0 is appended to as lines come,
 * frames of many sources mixed; later ones are written in one piece and put in place whole, each source's lines
 * together.
 */
export interface SegmentName {
  file: string;
  number: number;
  generation: number;
}

export function segmentName(number: number, generation: number): SegmentName {
  return { file: `${String(number).padStart(10, '0')}-${generation}.log`, number, generation };
}

/** All segments of a folder in the order in which they were begun. */
export function segmentsIn(folder: string): SegmentName[] {
  return readdirSync(folder)
    .map((file) => /^(\d{10})-(\d+)\.log$/.exec(file))
    .filter((match) => match !== null)
    .map((match) => ({ file: match[0], number: Number(match[1]), generation: Number(match[2]) }))
    .sort((one, other) => one.number - other.number || one.generation - other.generation);
}

/**
 * Segments to read: of each number its newest generation, which was put in place whole. Others are removed.
 * @param trying does what the disk may refuse.
 */
export function newestGenerations(folder: string, trying: (work: () => void) => void): SegmentName[] {
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.part')) trying(() => rmSync(join(folder, file)));
  }
  const all = segmentsIn(folder);
  return all.filter((name, index) => {
    if (all[index + 1]?.number !== name.number) return true;
    trying(() => rmSync(join(folder, name.file)));
    return false;
  });
}

export interface PlacedFrame {
  header: FrameHeader;
  at: number;
}

/** Every sound frame in these bytes, whatever lies between them. */
export function* framesIn(bytes: Buffer): Generator<PlacedFrame> {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const header = readHeader(bytes, at);
    if (header && isSound(bytes, at, header)) {
      yield { header, at };
      at += HEADER_BYTES + header.payloadBytes;
    } else {
      const next = bytes.indexOf(MAGIC_BYTES, at + 1);
      if (next < 0) return;
      at = next;
    }
  }
}

/**
 * The frames of a segment by their headers alone: what is in them is checked when they are read. Where a header is
 * broken, the whole file is read instead.
 * @returns the frames, and the small ones that are no lines with their bytes.
 */
export function headersOf(folder: string, file: string): { frames: PlacedFrame[]; notes: Buffer } {
  const path = join(folder, file);
  const descriptor = openSync(path, 'r');
  try {
    const size = fstatSync(descriptor).size;
    const frames: PlacedFrame[] = [];
    const notes: Buffer[] = [];
    const bytes = Buffer.alloc(HEADER_BYTES);
    let at = 0;
    while (at < size) {
      const header =
        readSync(descriptor, bytes, 0, HEADER_BYTES, at) === HEADER_BYTES && readHeader(bytes, 0);
      if (!header || at + HEADER_BYTES + header.payloadBytes > size) return wholeSegment(path);
      if (header.kind === 'lines') {
        frames.push({ header, at });
      } else {
        const note = Buffer.alloc(HEADER_BYTES + header.payloadBytes);
        readSync(descriptor, note, 0, note.length, at);
        notes.push(note);
      }
      at += HEADER_BYTES + header.payloadBytes;
    }
    return { frames, notes: Buffer.concat(notes) };
  } finally {
    closeSync(descriptor);
  }
}

/** The same of a segment whose every frame is checked. */
export function wholeSegment(path: string): { frames: PlacedFrame[]; notes: Buffer } {
  const bytes = readFileSync(path);
  const frames: PlacedFrame[] = [];
  const notes: Buffer[] = [];
  for (const frame of framesIn(bytes)) {
    if (frame.header.kind === 'lines') frames.push(frame);
    else notes.push(bytes.subarray(frame.at, frame.at + HEADER_BYTES + frame.header.payloadBytes));
  }
  return { frames, notes: Buffer.concat(notes) };
}

/** Writes all of it at the end of a file, or nothing. @throws Error of the disk */
export function appendWhole(descriptor: number, bytes: Buffer, end: number): void {
  try {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(descriptor, bytes, done, bytes.length - done, end + done);
    }
  } catch (error) {
    // Half a frame would be told from whole ones, but stand in the way of what comes next.
    ftruncateSync(descriptor, end);
    throw error;
  }
}

/** Writes a file beside and puts it in place whole: after a kill it is there or it is not. */
export function placeFile(path: string, parts: readonly Buffer[]): void {
  const descriptor = openSync(`${path}.part`, 'w', 0o600);
  try {
    for (const part of parts) {
      for (let done = 0; done < part.length;) done += writeSync(descriptor, part, done);
    }
    // The segment that it is made from goes afterwards.
    fsyncSync(descriptor);
  } catch (error) {
    // What is half written takes the room that is missing.
    ftruncateSync(descriptor);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.part`, path);
}
