import { HEADER_BYTES, type FrameHeader } from './frame.js';

/** Where a frame is: in memory until it is written, in a segment, or as a block of the database. */
export type Place =
  | { kind: 'memory'; bytes: Buffer }
  | { kind: 'segment'; file: string; at: number; length: number }
  | { kind: 'block'; id: number };

/** What the index knows of one frame. */
export interface Entry {
  source: number;
  firstSeq: number;
  endSeq: number;
  firstTime: number;
  lastTime: number;
  textBytes: number;
  diskBytes: number;
  levels: number;
  place: Place;
}

export function entryOf(header: FrameHeader, place: Place): Entry {
  return {
    source: header.source,
    firstSeq: header.firstSeq,
    endSeq: header.firstSeq + header.count,
    firstTime: header.firstTime,
    lastTime: header.lastTime,
    textBytes: header.payloadBytes - header.filterBytes - header.columnsBytes - header.count,
    diskBytes: HEADER_BYTES + header.payloadBytes,
    levels: header.levels,
    place,
  };
}

/** Many entries as they go from thread to thread: numbers, and the names of files that they refer to. */
export interface PackedEntries {
  numbers: Float64Array;
  files: string[];
}

const EACH = 11;

export function packEntries(entries: readonly Entry[]): PackedEntries {
  const numbers = new Float64Array(entries.length * EACH);
  const files = new Map<string, number>();
  entries.forEach(({ place, ...entry }, index) => {
    let file = -1;
    if (place.kind === 'segment') {
      file = files.get(place.file) ?? files.size;
      files.set(place.file, file);
    }
    numbers.set(
      [
        entry.source,
        entry.firstSeq,
        entry.endSeq,
        entry.firstTime,
        entry.lastTime,
        entry.textBytes,
        entry.diskBytes,
        entry.levels,
        file,
        place.kind === 'segment' ? place.at : place.kind === 'block' ? place.id : 0,
        place.kind === 'segment' ? place.length : 0,
      ],
      index * EACH,
    );
  });
  return { numbers, files: [...files.keys()] };
}

export function unpackEntries({ numbers, files }: PackedEntries): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < numbers.length; at += EACH) {
    const number = (place: number): number => numbers[at + place] as number;
    const file = files[number(8)];
    entries.push({
      source: number(0),
      firstSeq: number(1),
      endSeq: number(2),
      firstTime: number(3),
      lastTime: number(4),
      textBytes: number(5),
      diskBytes: number(6),
      levels: number(7),
      place:
        file === undefined
          ? { kind: 'block', id: number(9) }
          : { kind: 'segment', file, at: number(9), length: number(10) },
    });
  }
  return entries;
}
