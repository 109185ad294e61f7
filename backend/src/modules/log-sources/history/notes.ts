import type { SourceIdentity } from '../../../drivers/log-store/index.js';
import { buildFrame, HEADER_BYTES } from './frame.js';
import type { OpenedSource } from './owner-messages.js';
import { framesIn } from './segment-file.js';

/**
 * Frames that are no lines. With them a segment can be read without the database: who its sources are, and which
 * lines of them are gone though an older segment may still hold them.
 */
export type Note =
  | { kind: 'identity'; source: number; identity: SourceIdentity }
  | { kind: 'forgotten'; source: number; firstSeq: number; nextSeq: number; lastTime: number };

const NOTHING = new Uint8Array();

export function identityNote(source: number, identity: SourceIdentity): Buffer {
  const header = {
    kind: 'identity',
    source,
    count: 0,
    firstSeq: 0,
    firstTime: 0,
    lastTime: 0,
    levels: 0,
  } as const;
  return buildFrame(header, null, NOTHING, Buffer.from(JSON.stringify(identity)));
}

export function forgottenNote(source: {
  id: number;
  firstSeq: number;
  nextSeq: number;
  lastTime: number;
}): Buffer {
  const header = {
    kind: 'forgotten',
    source: source.id,
    count: 0,
    firstSeq: source.firstSeq,
    firstTime: source.nextSeq,
    lastTime: source.lastTime,
    levels: 0,
  } as const;
  return buildFrame(header, null, NOTHING, NOTHING);
}

function* readNotes(bytes: Buffer): Generator<Note> {
  for (const { header, at } of framesIn(bytes)) {
    if (header.kind === 'forgotten') {
      const { source, firstSeq, firstTime: nextSeq, lastTime } = header;
      yield { kind: 'forgotten', source, firstSeq, nextSeq, lastTime };
    }
    if (header.kind === 'identity') {
      const text = bytes.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + header.payloadBytes);
      yield { kind: 'identity', source: header.source, identity: JSON.parse(text) as SourceIdentity };
    }
  }
}

/**
 * Adds to what is known of sources what a segment says itself, for where the database does not know it, or was lost.
 * @param unknown those that the database did not know, which grow: of their names the last one that is noted holds
 * @returns ids of those that are known otherwise than before
 */
export function takeNotes(
  bytes: Buffer,
  sources: Map<number, OpenedSource>,
  unknown: Set<number>,
): Set<number> {
  const changed = new Set<number>();
  for (const note of readNotes(bytes)) {
    const { source: id } = note;
    const known = sources.get(id);
    if (note.kind === 'identity' && (!known || unknown.has(id))) {
      sources.set(id, { firstSeq: 1, nextSeq: 1, lastTime: 0, ...known, id, identity: note.identity });
      unknown.add(id);
      changed.add(id);
    }
    if (note.kind === 'forgotten' && known && note.firstSeq > known.firstSeq) {
      known.firstSeq = note.firstSeq;
      known.nextSeq = Math.max(known.nextSeq, note.nextSeq);
      known.lastTime = Math.max(known.lastTime, note.lastTime);
      changed.add(id);
    }
  }
  return changed;
}
