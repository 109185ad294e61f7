import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { giveBack } from '../../../core/threads/give-back.js';
import type { SourceIdentity } from '../sources/log-source.js';
import { BlockStore } from './block.store.js';
import { entryOf, packEntries, type Entry } from './entry.js';
import { Frame } from './frame.js';
import { FrameBuilder } from './frame-builder.js';
import { forgottenNote, identityNote, takeNotes } from './notes.js';
import { Openings } from './openings.js';
import type { OpenedSource, OwnerAnswer, OwnerData, OwnerRequest } from './owner-messages.js';
import {
  framesIn,
  headersOf,
  segmentName,
  segmentsIn,
  wholeSegment,
  type SegmentName,
} from './segment-file.js';
import { trigramFilterOf } from './trigram-filter.js';

/** Text of one source that becomes one frame when a segment is put in order. */
const FRAME_TEXT_BYTES = 384 * 1024;

interface OpenSegment extends SegmentName {
  descriptor: number;
  size: number;
  /** Sources that it names already. */
  named: Set<number>;
}

interface KeptSegment extends SegmentName {
  size: number;
}

/**
 * The only one that writes: segments, and the database of blocks. Everything is done at once where it is asked for,
 * so it lives in a thread of its own.
 */
export class SegmentOwner {
  private readonly segments: string;
  private readonly store: BlockStore;
  private readonly sources = new Map<number, OpenedSource>();
  private readonly kept = new Map<string, KeptSegment>();
  /** Written anew already, and waiting to be released. */
  private readonly replaced = new Set<string>();
  private open: OpenSegment | undefined;
  private lastNumber = 0;

  constructor(
    private readonly data: OwnerData,
    private readonly send: (answer: OwnerAnswer) => void,
  ) {
    this.segments = join(data.folder, 'logs');
    mkdirSync(this.segments, { recursive: true, mode: 0o700 });
    this.store = BlockStore.open(join(data.folder, 'logs.db'));
  }

  /** Tells what is there. */
  begin(): void {
    for (const source of this.store.sources()) this.sources.set(source.id, source);
    const blocks = this.store.entries();
    const compressed = new Map<number, number>();
    for (const { source, endSeq } of blocks) {
      compressed.set(source, Math.max(compressed.get(source) ?? 0, endSeq));
    }
    const entries: Entry[] = [...blocks];
    const unknown = new Set<number>();
    for (const name of this.newestGenerations()) {
      const { frames, notes } =
        name.generation === 0
          ? wholeSegment(join(this.segments, name.file))
          : headersOf(this.segments, name.file);
      for (const source of takeNotes(notes, this.sources, unknown)) this.store.saveSource(source);
      const wanted = frames
        .map(({ header, at }) =>
          entryOf(header, { kind: 'segment', file: name.file, at, length: 64 + header.payloadBytes }),
        )
        .filter(({ source, endSeq }) => endSeq > (compressed.get(source) ?? 0));
      this.lastNumber = Math.max(this.lastNumber, name.number);
      if (wanted.length === 0) {
        rmSync(join(this.segments, name.file));
        continue;
      }
      this.kept.set(name.file, { ...name, size: wanted.reduce((sum, { diskBytes }) => sum + diskBytes, 0) });
      entries.push(...wanted);
    }
    const wanted = entries.filter((entry) => this.isWanted(entry.source, entry.endSeq));
    const { run, openings } = Openings.begin(this.store.openings(), [...this.sources.values()], wanted);
    const notice = this.store.notice;
    this.send({
      type: 'opened',
      notice: notice
        ? `The older lines could not be read (${notice.reason}) and were put aside as ${notice.setAside}.`
        : null,
      lastSource: Math.max(this.store.lastSource(), ...this.sources.keys()),
      sources: [...this.sources.values()],
      entries: packEntries(wanted),
      run,
      openings,
    });
    // Before anything else is done: no line is taken in that this opening does not know of.
    this.trying(() => this.store.saveOpenings(openings));
  }

  handle(request: OwnerRequest): void {
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
        this.addSource(request.id, request.identity);
        break;
      case 'forget':
        this.forget(request);
        break;
      case 'remove':
        this.sources.delete(request.source);
        this.store.removeSource(request.source);
        break;
      case 'released':
        this.remove(request.file);
        break;
      case 'compact':
        this.trying(() => this.putInOrder(request.file));
        break;
      case 'sync':
        this.send({ type: 'done', request: request.request });
        break;
      case 'close':
        this.close();
        break;
    }
  }

  /**
   * One step of what has to be done some time: an old segment into order, or into blocks.
   * @returns whether there may be more.
   */
  tidy(): boolean {
    const segments = [...this.kept.values()].filter(({ file }) => !this.replaced.has(file));
    const mixed = segments.find(({ generation, file }) => generation === 0 && file !== this.open?.file);
    if (mixed) return this.trying(() => this.putInOrder(mixed.file));
    const bytes = segments.reduce((sum, { size }) => sum + size, 0);
    const [oldest] = segments.sort((one, other) => one.number - other.number);
    if (oldest && oldest.file !== this.open?.file && bytes > this.data.plainBytes) {
      return this.trying(() => this.compress(oldest.file));
    }
    return false;
  }

  private write(batch: number, bytes: Buffer, sources: number[]): void {
    try {
      const segment = this.segmentFor(bytes.length);
      const notes = sources
        .filter((source) => !segment.named.has(source))
        .map((source) => this.sources.get(source))
        .filter((source) => source !== undefined)
        .map(({ id, identity }) => identityNote(id, identity));
      const whole = notes.length > 0 ? Buffer.concat([...notes, bytes]) : bytes;
      this.append(segment, whole);
      for (const source of sources) segment.named.add(source);
      this.send({ type: 'written', batch, file: segment.file, at: segment.size - bytes.length });
    } catch (error) {
      this.send({ type: 'failed', batch, reason: reasonOf(error) });
    }
  }

  private append(segment: OpenSegment, bytes: Buffer): void {
    const before = segment.size;
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(segment.descriptor, bytes, done, bytes.length - done, before + done);
      }
    } catch (error) {
      // Half a frame would be told from whole ones, but stand in the way of what comes next.
      ftruncateSync(segment.descriptor, before);
      throw error;
    }
    segment.size += bytes.length;
    const kept = this.kept.get(segment.file);
    if (kept) kept.size = segment.size;
  }

  private segmentFor(bytes: number): OpenSegment {
    if (this.open && this.open.size > 0 && this.open.size + bytes > this.data.segmentBytes) {
      closeSync(this.open.descriptor);
      this.open = undefined;
    }
    if (!this.open) {
      const name = segmentName(this.lastNumber + 1, 0);
      const descriptor = openSync(join(this.segments, name.file), 'wx', 0o600);
      this.lastNumber = name.number;
      this.open = { ...name, descriptor, size: 0, named: new Set() };
      this.kept.set(name.file, { ...name, size: 0 });
    }
    return this.open;
  }

  private addSource(id: number, identity: SourceIdentity): void {
    const known = this.sources.get(id) ?? { firstSeq: 1, nextSeq: 1, lastTime: 0 };
    const source = { ...known, id, identity };
    this.sources.set(id, source);
    // Its new name is to stand in the segments, too.
    this.open?.named.delete(id);
    this.trying(() => this.store.saveSource(source));
  }

  private forget({ source, firstSeq, nextSeq, lastTime }: OwnerRequest & { type: 'forget' }): void {
    const known = this.sources.get(source);
    if (!known) return;
    Object.assign(known, { firstSeq, nextSeq, lastTime });
    this.trying(() => {
      this.store.transaction(() => {
        this.store.saveSource(known);
        this.store.forget(source, firstSeq);
      });
      this.store.shrink();
      // A database that is lost must not bring back what somebody deleted.
      const note = Buffer.concat([identityNote(source, known.identity), forgottenNote(known)]);
      this.append(this.segmentFor(note.length), note);
    });
  }

  /** Writes a segment anew: each source's lines together, and only those that are wanted. */
  private putInOrder(file: string): void {
    const segment = this.kept.get(file);
    if (!segment || this.replaced.has(file)) return;
    if (file === this.open?.file) {
      closeSync(this.open.descriptor);
      this.open = undefined;
    }
    const bytes = readFileSync(join(this.segments, file));
    const builders = new Map<number, FrameBuilder[]>();
    const notes: Buffer[] = [];
    for (const { header, at } of framesIn(bytes)) {
      if (header.kind === 'forgotten') notes.push(bytes.subarray(at, at + 64 + header.payloadBytes));
      if (header.kind !== 'lines') continue;
      const frame = Frame.at(bytes, at, header);
      if (!this.isWanted(header.source, frame.endSeq)) continue;
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
    const name = segmentName(segment.number, segment.generation + 1);
    const entries: Entry[] = [];
    let size = 0;
    const parts: Buffer[] = [];
    const add = (part: Buffer): void => {
      parts.push(part);
      size += part.length;
    };
    for (const source of builders.keys()) {
      const known = this.sources.get(source);
      if (known) add(identityNote(source, known.identity));
    }
    notes.forEach(add);
    for (const builder of [...builders.values()].flat()) {
      const part = builder.frame(true);
      builder.release();
      const [placed] = framesIn(part);
      if (!placed) throw new Error('a frame that was just made cannot be read');
      entries.push(
        entryOf(placed.header, { kind: 'segment', file: name.file, at: size, length: part.length }),
      );
      add(part);
    }
    if (entries.length > 0) {
      this.place(name, parts);
      this.kept.set(name.file, { ...name, size });
    }
    parts.forEach(giveBack);
    giveBack(bytes);
    this.replaced.add(file);
    this.send({ type: 'replaced', file, entries: packEntries(entries) });
  }

  /** Turns the frames of a segment into blocks of the database. */
  private compress(file: string): void {
    const bytes = readFileSync(join(this.segments, file));
    const entries: Entry[] = [];
    this.store.transaction(() => {
      for (const { header, at } of framesIn(bytes)) {
        if (header.kind !== 'lines') continue;
        const frame = Frame.at(bytes, at, header);
        if (!this.isWanted(header.source, frame.endSeq)) continue;
        const filter = bytes.subarray(at + 64, at + 64 + header.filterBytes);
        entries.push(this.store.add(frame, filter.length > 0 ? filter : trigramFilterOf(frame.text)));
      }
    });
    giveBack(bytes);
    this.replaced.add(file);
    this.send({ type: 'replaced', file, entries: packEntries(entries) });
  }

  /** Writes a file beside and puts it in place whole: after a kill it is there or it is not. */
  private place({ file }: SegmentName, parts: Buffer[]): void {
    const path = join(this.segments, file);
    const descriptor = openSync(`${path}.part`, 'w', 0o600);
    try {
      for (const part of parts) {
        for (let done = 0; done < part.length;) done += writeSync(descriptor, part, done);
      }
      // The segment that it is made from goes afterwards.
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(`${path}.part`, path);
  }

  private remove(file: string): void {
    if (file === this.open?.file) {
      closeSync(this.open.descriptor);
      this.open = undefined;
    }
    this.kept.delete(file);
    this.replaced.delete(file);
    rmSync(join(this.segments, file), { force: true });
  }

  private isWanted(source: number, endSeq: number): boolean {
    const known = this.sources.get(source);
    return known !== undefined && endSeq > known.firstSeq;
  }

  /** Segments to read: of each number its newest generation, which was put in place whole. */
  private newestGenerations(): SegmentName[] {
    for (const file of readdirSync(this.segments)) {
      if (file.endsWith('.part')) rmSync(join(this.segments, file));
    }
    const all = segmentsIn(this.segments);
    return all.filter((name, index) => {
      if (all[index + 1]?.number !== name.number) return true;
      rmSync(join(this.segments, name.file));
      return false;
    });
  }

  private trying(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      this.send({ type: 'trouble', reason: reasonOf(error) });
      return false;
    }
  }

  private close(): void {
    if (this.open) {
      closeSync(this.open.descriptor);
      if (this.open.size === 0 && existsSync(join(this.segments, this.open.file))) {
        rmSync(join(this.segments, this.open.file));
      }
    }
    this.open = undefined;
    this.store.close();
    this.send({ type: 'closed' });
  }
}
