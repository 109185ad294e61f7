import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { giveBack } from '../../../core/threads/give-back.js';
import { BlockStore } from './block.store.js';
import { eachFile } from './each-file.js';
import { entryOf, packEntries, type Entry } from './entry.js';
import { Frame } from './frame.js';
import { KeptSegment } from './kept-segment.js';
import { Openings } from './openings.js';
import {
  SEGMENTS_ON_THE_WAY,
  WASTE_PART,
  type Floor,
  type OwnerAnswer,
  type OwnerData,
  type OwnerRequest,
} from './owner-messages.js';
import {
  appendWhole,
  framesIn,
  headersOf,
  placeFile,
  segmentName,
  newestGenerations,
  wholeSegment,
  type SegmentName,
} from './segment-file.js';
import { SegmentReading } from './segment-reading.js';
import { inOrder } from './segment-order.js';
import { SourceBook } from './source-book.js';
import { trigramFilterOf } from './trigram-filter.js';

/** After the disk refused something, nothing is tidied for so long. */
const REST_MS = 1000;

interface OpenSegment extends SegmentName {
  descriptor: number;
  size: number;
  /** Sources that it names already. */
  named: Set<number>;
}

/**
 * The only one that writes: segments, and the database of blocks. Everything is done at once where it is asked for,
 * so it lives in a thread of its own. What the disk or the database refuses is told and tried again; nothing of it
 * is thrown.
 */
export class SegmentOwner {
  private readonly segments: string;
  private readonly store: BlockStore;
  private readonly book: SourceBook;
  private readonly kept = new Map<string, KeptSegment>();
  /** Written anew already, and waiting to be released; by where their lines are now. */
  private readonly replaced = new Map<string, 'segment' | 'database'>();
  /** To be written anew: most of it is not wanted, or some of it was deleted. */
  private readonly unclean = new Set<string>();
  private readonly reading: SegmentReading;
  /** What was deleted may still be in a file: nothing of that waits. */
  private isErasing = false;
  /** Not wanted any more, with their sizes. They go once the disk has what the database took over of them. */
  private readonly leaving = new Map<string, number>();
  /** Those of them of which the database took nothing over. */
  private readonly worthless = new Set<string>();
  private open: OpenSegment | undefined;
  private lastNumber = 0;
  private lastWritten = 0;
  /** One that could not be written. Later ones wait for it: lines are in files in their order. */
  private failed: { batch: number; reason: string } | undefined;
  private restUntil = 0;
  /** The disk refused what was tried last: as a rule it is room that is missing. */
  private wasRefused = false;

  constructor(
    private readonly data: OwnerData,
    private readonly send: (answer: OwnerAnswer) => void,
  ) {
    this.segments = join(data.folder, 'logs');
    this.reading = new SegmentReading(this.segments);
    mkdirSync(this.segments, { recursive: true, mode: 0o700 });
    this.store = BlockStore.open(join(data.folder, 'logs.db'));
    this.book = new SourceBook(this.store, (note) => this.append(this.segmentFor(note.length), note));
  }

  /** Tells what is there. */
  begin(): void {
    const blocks = this.store.entries();
    // Each of them was one frame. An older segment may have been left, where it could not be read.
    const compressed = new Map<number, Set<number>>();
    for (const { source, endSeq } of blocks) {
      const ends = compressed.get(source) ?? new Set();
      compressed.set(source, ends.add(endSeq));
    }
    const found: { segment: KeptSegment; frames: Entry[] }[] = [];
    for (const name of newestGenerations(this.segments, (work) => this.trying(work))) {
      this.lastNumber = Math.max(this.lastNumber, name.number);
      // One that cannot be read hides its own lines, and nobody else's.
      this.trying(() => {
        const { size } = statSync(join(this.segments, name.file));
        found.push({ segment: new KeptSegment(name, size), frames: this.framesOf(name) });
      });
    }
    this.book.dropReplaced();
    const isWanted = ({ source, endSeq }: Entry): boolean => this.book.isWanted(source, endSeq);
    const wanted = blocks.filter(isWanted);
    for (const { segment, frames } of found) {
      const { file } = segment.name;
      const own = frames.filter(
        (entry) => isWanted(entry) && !compressed.get(entry.source)?.has(entry.endSeq),
      );
      segment.add(own);
      if (segment.isUnwanted) this.leaving.set(file, segment.size);
      else this.kept.set(file, segment);
      // The others may be of what was deleted.
      if (!segment.isUnwanted && own.length < frames.length) this.unclean.add(file);
      wanted.push(...own);
    }
    this.isErasing = this.unclean.size > 0 || this.leaving.size > 0;
    const sources = this.book.all();
    const { run, openings } = Openings.begin(this.store.openings(), sources, wanted);
    const notice = this.store.notice;
    this.send({
      type: 'opened',
      notice: notice
        ? `The older lines could not be read (${notice.reason}) and were put aside as ${notice.setAside}.`
        : null,
      lastSource: Math.max(this.store.lastSource(), ...sources.map(({ id }) => id)),
      sources,
      entries: packEntries(wanted),
      run,
      openings,
    });
    // Before anything else is done: no line is taken in that this opening does not know of.
    if (!this.data.goesOn) this.book.open(openings);
    this.trying(() => {
      this.book.save();
      this.store.checkpoint();
    });
  }

  handle(request: OwnerRequest): void {
    this.trying(() => this.handleNow(request));
  }

  private handleNow(request: OwnerRequest): void {
    switch (request.type) {
      case 'write':
        this.write(
          request.batch,
          Buffer.from(request.bytes.buffer, request.bytes.byteOffset, request.bytes.length),
          request.sources,
        );
        giveBack(request.bytes);
        break;
      case 'source':
        this.book.add(request.id, request.identity);
        // A new name is to stand in the segments, too.
        this.open?.named.delete(request.id);
        this.book.save();
        break;
      case 'forget':
        this.forget(request.floors, request.forGood);
        break;
      case 'remove':
        this.book.remove(request.source);
        this.book.save();
        break;
      case 'released':
        this.release(request.file);
        break;
      case 'sync':
        this.send({
          type: 'done',
          request: request.request,
          bytes: this.bytes(),
          isSaved: this.book.isSaved,
        });
        break;
      case 'close':
        this.close();
        break;
    }
  }

  /** Whether what has to be done can wait: the plain segments may be twice as many for a while. */
  get hasRoom(): boolean {
    return this.plainBytes() <= 2 * this.data.plainBytes && !this.isWasteful && !this.isErasing;
  }

  /**
   * One step of what has to be done some time: an old segment into order, or into blocks, or what nobody wants any more
   * given back.
   * @param now milliseconds of the process
   * @returns whether there may be more.
   */
  tidy(now = performance.now()): boolean {
    if (now < this.restUntil) return false;
    if (this.wasRefused && this.waste() > 0) {
      const isDone = this.trying(() => this.settle());
      // It is the other's turn, whatever became of this.
      this.wasRefused = false;
      return isDone;
    }
    if (!this.book.isSaved) return this.trying(() => this.book.save());
    if (this.isWasteful) return this.trying(() => this.settle());
    // They are on disk twice.
    if (this.replaced.size >= SEGMENTS_ON_THE_WAY) return false;
    const unclean = [...this.unclean].filter((file) => this.reading.isDue(file, now));
    if (unclean.length > 0) return this.trying(() => this.clean(unclean));
    if (this.isErasing && this.waste() > 0) return this.trying(() => this.settle());
    // What is to be released comes back as waste.
    this.isErasing &&= this.replaced.size > 0;
    const names = this.plain()
      .map(({ name }) => name)
      .filter(({ file }) => this.reading.isDue(file, now));
    const mixed = names.find(({ generation, file }) => generation === 0 && file !== this.open?.file);
    if (mixed) return this.trying(() => this.putInOrder(mixed.file));
    const [oldest] = names.sort((one, other) => one.number - other.number);
    if (oldest && oldest.file !== this.open?.file && this.plainBytes() > this.data.plainBytes) {
      return this.trying(() => this.compress(oldest.file));
    }
    if (this.waste() > 0) return this.trying(() => this.settle());
    return false;
  }

  /** Takes lines out of the database at once, and out of the segments that hold many of them, or that were deleted. */
  private forget(floors: readonly Floor[], forGood: boolean): void {
    for (const floor of floors) this.book.forget(floor, forGood);
    for (const segment of this.plain()) {
      const { file } = segment.name;
      // Each of them is to be told.
      const had = floors.filter(({ source, firstSeq }) => segment.forget(source, firstSeq)).length > 0;
      if (had && (forGood || segment.isMostlyUnwanted)) this.unclean.add(file);
    }
    if (forGood) this.isErasing = true;
    // Where the disk refuses the one, the other is done all the same; both are tried again.
    this.trying(() => this.book.save());
    const now = performance.now();
    this.clean([...this.unclean].filter((file) => this.reading.isDue(file, now)));
  }

  /** Writes segments anew without what is not wanted; those first that only go, and need no room. */
  private clean(files: readonly string[]): void {
    let isFull = false;
    const isRest = (file: string): number => (this.kept.get(file)?.isUnwanted ? 0 : 1);
    eachFile(
      files.toSorted((one, other) => isRest(one) - isRest(other)),
      (file) => {
        if (isFull || this.replaced.size >= SEGMENTS_ON_THE_WAY) return;
        try {
          this.putInOrder(file);
        } catch (error) {
          // Room that one of them does not find, the next does not find either.
          isFull = this.reading.isDue(file, performance.now());
          throw error;
        }
        this.unclean.delete(file);
      },
    );
  }

  private plain(): KeptSegment[] {
    return [...this.kept.values()].filter(({ name }) => !this.replaced.has(name.file));
  }

  private plainBytes(): number {
    return this.plain().reduce((sum, { size }) => sum + size, 0);
  }

  /** Bytes on disk that stay when all is tidied; null where that cannot be told. */
  private bytes(): number | null {
    let bytes: number | null = null;
    this.trying(() => (bytes = this.plainBytes() + this.store.size().used));
    return bytes;
  }

  /** Bytes on disk that tidying gives back. */
  private waste(): number {
    let bytes = this.leaving.values().reduce((sum, size) => sum + size, 0);
    this.trying(() => {
      const { free, log } = this.store.size();
      bytes += free + log;
    });
    return bytes;
  }

  /** Whether so much is to be given back that it is done first. */
  get isWasteful(): boolean {
    return this.waste() > this.data.plainBytes / WASTE_PART;
  }

  /**
   * Gives back what nobody wants any more. A segment whose lines are blocks goes when those are on the disk, not only in
   * the database's log: one checkpoint for all that wait. Where the disk refuses that, the others make room for it.
   */
  private settle(): void {
    try {
      this.store.checkpoint();
    } catch (error) {
      eachFile([...this.worthless], (file) => this.unlink(file));
      throw error;
    }
    eachFile([...this.leaving.keys()], (file) => this.unlink(file));
    // Into the log at first: the next step brings it to the file.
    if (this.store.size().free > 0) this.store.shrink();
  }

  private release(file: string): void {
    const isInSegment = this.replaced.get(file) === 'segment';
    this.leave(file);
    if (isInSegment) this.unlink(file);
  }

  private leave(file: string): void {
    const segment = this.kept.get(file);
    if (segment) this.leaving.set(file, segment.size);
    this.kept.delete(file);
    this.replaced.delete(file);
    this.unclean.delete(file);
    this.reading.forget(file);
  }

  private unlink(file: string): void {
    rmSync(join(this.segments, file), { force: true });
    this.leaving.delete(file);
    this.worthless.delete(file);
  }

  private write(batch: number, bytes: Buffer, sources: number[]): void {
    if (batch <= this.lastWritten) return;
    if (this.failed && this.failed.batch < batch) {
      this.send({ type: 'failed', ...this.failed, batch });
      return;
    }
    try {
      const segment = this.segmentFor(bytes.length);
      const unnamed = sources.filter((source) => !segment.named.has(source));
      const notes = unnamed
        .map((source) => this.book.identityNote(source))
        .filter((note) => note !== undefined);
      const whole = notes.length > 0 ? Buffer.concat([...notes, bytes]) : bytes;
      this.append(segment, whole);
      for (const source of sources) segment.named.add(source);
      this.noteWritten(segment.file, bytes, sources);
      this.lastWritten = batch;
      this.failed = undefined;
      this.send({ type: 'written', batch, file: segment.file, at: segment.size - bytes.length });
    } catch (error) {
      this.failed = { batch, reason: reasonOf(error) };
      this.send({ type: 'failed', ...this.failed });
    }
  }

  private noteWritten(file: string, bytes: Buffer, sources: readonly number[]): void {
    const segment = this.kept.get(file);
    segment?.addWritten(bytes);
    for (const source of sources) {
      if (!segment?.forget(source, this.book.firstSeq(source))) continue;
      // It was deleted while the disk refused it.
      this.unclean.add(file);
      this.isErasing = true;
    }
  }

  private append(segment: OpenSegment, bytes: Buffer): void {
    appendWhole(segment.descriptor, bytes, segment.size);
    segment.size += bytes.length;
    const kept = this.kept.get(segment.file);
    if (kept) kept.size = segment.size;
  }

  private segmentFor(bytes: number): OpenSegment {
    if (this.open && this.open.size > 0 && this.open.size + bytes > this.data.segmentBytes) this.closeOpen();
    if (!this.open) {
      const name = segmentName(this.lastNumber + 1, 0);
      const descriptor = openSync(join(this.segments, name.file), 'wx', 0o600);
      this.lastNumber = name.number;
      this.open = { ...name, descriptor, size: 0, named: new Set() };
      this.kept.set(name.file, new KeptSegment(name, 0));
    }
    return this.open;
  }

  private closeOpen(): void {
    const { open } = this;
    // Also where the disk refuses: it is closed then as well.
    this.open = undefined;
    if (open) closeSync(open.descriptor);
  }

  /** Writes a segment anew: each source's lines together, and only those that are wanted. */
  private putInOrder(file: string): void {
    const segment = this.kept.get(file);
    if (!segment || this.replaced.has(file)) return;
    if (file === this.open?.file) this.closeOpen();
    if (segment.isUnwanted) {
      this.send({ type: 'replaced', file, entries: packEntries([]) });
      this.leave(file);
      this.worthless.add(file);
      return;
    }
    const bytes = this.reading.read(file);
    const name = segmentName(segment.name.number, segment.name.generation + 1);
    const { parts, entries, size } = inOrder(bytes, name.file, this.book);
    if (entries.length > 0) {
      placeFile(join(this.segments, name.file), parts);
      const anew = new KeptSegment(name, size);
      anew.add(entries);
      this.kept.set(name.file, anew);
    }
    parts.forEach(giveBack);
    giveBack(bytes);
    // What it said of lines that are gone, the database knows.
    this.replaced.set(file, entries.length > 0 ? 'segment' : 'database');
    this.send({ type: 'replaced', file, entries: packEntries(entries) });
  }

  /** Turns the frames of a segment into blocks of the database. */
  private compress(file: string): void {
    const bytes = this.reading.read(file);
    const entries: Entry[] = [];
    this.store.transaction(() => {
      for (const { header, at } of framesIn(bytes)) {
        if (header.kind !== 'lines') continue;
        const frame = Frame.at(bytes, at, header);
        if (!this.book.isWanted(header.source, frame.endSeq)) continue;
        const filter = bytes.subarray(at + 64, at + 64 + header.filterBytes);
        entries.push(this.store.add(frame, filter.length > 0 ? filter : trigramFilterOf(frame.text)));
      }
    });
    giveBack(bytes);
    this.replaced.set(file, 'database');
    this.send({ type: 'replaced', file, entries: packEntries(entries) });
  }

  private framesOf({ file, generation }: SegmentName): Entry[] {
    const { frames, notes } =
      generation === 0 ? wholeSegment(join(this.segments, file)) : headersOf(this.segments, file);
    this.book.takeNotes(notes);
    return frames.map(({ header, at }) =>
      entryOf(header, { kind: 'segment', file, at, length: 64 + header.payloadBytes }),
    );
  }

  private trying(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.restUntil = performance.now() + REST_MS;
      this.wasRefused = true;
      this.send({ type: 'trouble', reason: reasonOf(error) });
      return false;
    }
  }

  private close(): void {
    this.trying(() => this.book.save());
    if (!this.book.isSaved) {
      // There may be room for it then.
      this.trying(() => this.settle());
      this.trying(() => this.book.save());
    }
    if (this.open?.size === 0) this.leaving.set(this.open.file, 0);
    this.trying(() => this.closeOpen());
    this.trying(() => this.settle());
    this.trying(() => this.store.close());
    this.send({ type: 'closed' });
  }
}
