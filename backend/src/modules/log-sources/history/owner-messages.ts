import type { SourceIdentity } from '../../../drivers/log-store/index.js';
import type { PackedEntries } from './entry.js';
import type { Opening } from './openings.js';

/** What the owner is started with. */
export interface OwnerData {
  folder: string;
  /** Bytes of plain segments that are kept before the oldest ones are compressed. */
  plainBytes: number;
  /** Bytes after which a new segment is begun. */
  segmentBytes: number;
  /** The thread takes the place of one that ended: nothing was closed, and no run begins. */
  goesOn: boolean;
}

/** Part of the plain bytes that may be on disk beside them for a while, before it is given back at once. */
export const WASTE_PART = 8;

/** Segments that may be on disk a second time for a moment: as they were, and anew or as blocks in the database's log. */
export const SEGMENTS_ON_THE_WAY = 4;

/** From where on lines of a source are kept; `nextSeq` and `lastTime` outlive those before. */
export interface Floor {
  source: number;
  firstSeq: number;
  nextSeq: number;
  lastTime: number;
}

/** To the thread that owns the files. */
export type OwnerRequest =
  /** Frames, one after the other; answered by `written` or `failed`. */
  | { type: 'write'; batch: number; bytes: Uint8Array; sources: number[] }
  /** One that is new, or that has another name than before. */
  | { type: 'source'; id: number; identity: SourceIdentity }
  /** Lines of these sources are gone: for good, so that nothing of them stays anywhere, or as the limits have it. */
  | { type: 'forget'; floors: readonly Floor[]; forGood: boolean }
  | { type: 'remove'; source: number }
  /** The index does not name this segment any more. */
  | { type: 'released'; file: string }
  /** Answered by `done` when all before it is done, or is to be tried again. */
  | { type: 'sync'; request: number }
  | { type: 'close' };

export interface OpenedSource {
  id: number;
  identity: SourceIdentity;
  firstSeq: number;
  nextSeq: number;
  lastTime: number;
}

/** How it stands when all that was asked for is done, or refused by the disk. */
export interface Settled {
  /** On disk, that stay when all is tidied; null where that cannot be told. */
  bytes: number | null;
  /** Which lines are gone is in the database. If not, an opening may bring them back; it is tried again. */
  isSaved: boolean;
}

/** From it. */
export type OwnerAnswer =
  | {
      type: 'opened';
      notice: string | null;
      lastSource: number;
      sources: OpenedSource[];
      entries: PackedEntries;
      run: number;
      /** This one last. */
      openings: readonly Opening[];
    }
  | { type: 'written'; batch: number; file: string; at: number }
  /** It and the ones after it are to be sent again, in their order. */
  | { type: 'failed'; batch: number; reason: string }
  /** What was in a segment is elsewhere now; the segment goes when it is released. */
  | { type: 'replaced'; file: string; entries: PackedEntries }
  /** The same could not be done; it is tried again later. */
  | { type: 'trouble'; reason: string }
  | ({ type: 'done'; request: number } & Settled)
  | { type: 'closed' };
