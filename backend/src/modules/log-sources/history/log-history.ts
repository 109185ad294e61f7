import { join } from 'node:path';
import { DomainError } from '../../../core/errors/domain-error.js';
import type { startThread } from '../../../core/threads/index.js';
import type { NewLogLine, LogLine, SourceExtent, SourceIdentity } from '../../../drivers/log-store/index.js';
import { BlockStore } from './block.store.js';
import { unpackEntries, type Entry } from './entry.js';
import type { Frame } from './frame.js';
import { FrameReader } from './frame-reader.js';
import { Merge, type MergedPage, type PageBounds, type WantedPage } from './merged-page.js';
import { Openings } from './openings.js';
import { OwnerClient } from './owner-client.js';
import { SEGMENTS_ON_THE_WAY, WASTE_PART, type OwnerAnswer } from './owner-messages.js';
import { Retention, type HistoryLimits } from './retention.js';
import { SearchPool } from './search-pool.js';
import type { Histogram, SearchEvent, SearchQuery } from './search-query.js';
import { SearchRun } from './search-run.js';
import { HistogramRun } from './histogram-run.js';
import { SourceLines } from './source-lines.js';

export interface KnownSource {
  id: number;
  identity: SourceIdentity;
  extent: SourceExtent;
}

/** What tests and small machines change; everybody else takes what is best. */
export interface HistoryOptions {
  /** Bytes of the newest lines that are kept as they are; older ones are compressed. 256 MB. */
  plainBytes?: number;
  /** Bytes of one file of those. 4 MB: one is in memory at once while it is put in order. */
  segmentBytes?: number;
  /** How long a regular expression may take for a piece of at most a megabyte. 5 s. */
  patienceMs?: number;
  /** Told each time that something could not be written; it is tried again. */
  onTrouble?: (reason: string) => void;
  /** Starts the thread that writes: a test ends it. */
  startThread?: typeof startThread;
}

/** How long a line waits in memory at most before it is on its way to the file. */
const FLUSH_MS = 100;
/** Text that waits at most, and no more than a segment takes: of what is larger, no limit could be held by segments. */
const FLUSH_BYTES = 512 * 1024;
const LIMITS_MS = 1000;
const MOST_RETRIES = 10;
/** Smaller segments where there is little room: what is on disk for a moment only is of their size. */
const SEGMENTS = 8;

/**
 * All lines that were taken in, and that the limits let stay. Newest ones are in plain segments, which a killed
 * process leaves whole up to the last tenth of a second; older ones are compressed in a database. This thread keeps
 * where everything is, one thread writes, and others search.
 */
export class LogHistory {
  private readonly sourcesById = new Map<number, SourceLines>();
  private readonly idsByKey = new Map<string, number>();
  private readonly dirty = new Set<SourceLines>();
  private dirtyBytes = 0;
  /** Written since the limits were looked at. */
  private uncheckedBytes = 0;
  private enforcing: Promise<void> | undefined;
  private flushTimer: NodeJS.Timeout | undefined;
  private limitsTimer: NodeJS.Timeout | undefined;
  private lastSource: number;
  private owner: OwnerClient | undefined;
  private readonly retention: Retention;
  private readonly openings: Openings;

  private constructor(
    /** What had to be put aside when it was opened, in a sentence; null if nothing. */
    readonly notice: string | null,
    opened: OwnerAnswer & { type: 'opened' },
    private readonly reader: FrameReader,
    private readonly pool: SearchPool,
    private readonly onTrouble: (reason: string) => void,
    limits: HistoryLimits,
    private readonly flushBytes: number,
  ) {
    this.lastSource = opened.lastSource;
    this.openings = new Openings(opened.run, opened.openings);
    for (const source of opened.sources) this.know(new SourceLines(source.id, source.identity, source));
    const entries = unpackEntries(opened.entries);
    entries.sort((one, other) => one.source - other.source || one.firstSeq - other.firstSeq);
    for (const entry of entries) this.sourcesById.get(entry.source)?.restore(entry);
    this.retention = new Retention(this.sourcesById, limits, (request) => this.owner?.send(request));
  }

  /**
   * Opens what is in a folder, or begins it there.
   * @throws Error where the folder cannot be written, or comes from a newer version of the product.
   */
  static async open(
    folder: string,
    limits: HistoryLimits,
    options: HistoryOptions = {},
  ): Promise<LogHistory> {
    const plainBytes = options.plainBytes ?? Math.min(256 * 1024 * 1024, Math.ceil(limits.bytesInAll / 4));
    const segmentBytes = options.segmentBytes ?? Math.min(4 * 1024 * 1024, Math.ceil(plainBytes / SEGMENTS));
    // What tidying gives back is on disk as well, for a while.
    const aside = plainBytes / WASTE_PART + SEGMENTS_ON_THE_WAY * segmentBytes;
    const kept = { ...limits, bytesInAll: Math.max(limits.bytesInAll - aside, limits.bytesInAll / 2) };
    const early: (OwnerAnswer & { type: 'replaced' | 'trouble' })[] = [];
    const ready: { history?: LogHistory } = {};
    const { owner, opened } = await OwnerClient.start(
      { folder, plainBytes, segmentBytes, goesOn: false },
      {
        hear: (answer) => {
          if (ready.history) ready.history.hear(answer);
          else early.push(answer);
        },
        reopened: (again) => ready.history?.reopened(again),
      },
      options.startThread,
    );
    const database = join(folder, 'logs.db');
    const reader = new FrameReader(join(folder, 'logs'), () => BlockStore.reader(database));
    const places = { segments: join(folder, 'logs'), database };
    const pool = new SearchPool(places, options.patienceMs, (signal) => owner.isThere(signal));
    const onTrouble = options.onTrouble ?? ((): void => undefined);
    const flushBytes = Math.min(FLUSH_BYTES, segmentBytes);
    const history = new LogHistory(opened.notice, opened, reader, pool, onTrouble, kept, flushBytes);
    history.owner = owner;
    ready.history = history;
    for (const answer of early) history.hear(answer);
    history.limitsTimer = setInterval(() => history.lookAtLimits(), LIMITS_MS).unref();
    return history;
  }

  /**
   * The id of a source: the same for the same key as long as anything of it is kept. Marks it as there, and keeps what it
   * is called now.
   */
  source(identity: SourceIdentity): number {
    const known = this.idsByKey.get(identity.key);
    const existing = known === undefined ? undefined : this.sourcesById.get(known);
    if (existing) {
      existing.isThere = true;
      if (JSON.stringify(existing.identity) !== JSON.stringify(identity)) {
        existing.identity = identity;
        this.owner?.send({ type: 'source', id: existing.id, identity });
      }
      return existing.id;
    }
    this.lastSource += 1;
    const source = new SourceLines(this.lastSource, identity, { firstSeq: 1, nextSeq: 1, lastTime: 0 });
    source.isThere = true;
    this.know(source);
    this.owner?.send({ type: 'source', id: source.id, identity });
    return source.id;
  }

  /** Tells that a source is not there any more. It stays known until its last line is gone. */
  leave(id: number): void {
    const source = this.sourcesById.get(id);
    if (source) source.isThere = false;
  }

  /** Everything known, also what is not there any more. */
  sources(): readonly KnownSource[] {
    return [...this.sourcesById.values()].map(({ id, identity, extent }) => ({ id, identity, extent }));
  }

  extent(id: number): SourceExtent | undefined {
    return this.sourcesById.get(id)?.extent;
  }

  /** Names the time since it was opened. */
  get run(): number {
    return this.openings.run;
  }

  /** The first number of a source that may be another line than the one that was told in this run. */
  changedFrom(id: number, run: number): number {
    return this.openings.changedFrom(id, run);
  }

  /** Bytes on disk that count for the limits, in all: lines, and what files and the database take beside them. */
  get bytesOnDisk(): number {
    return this.retention.bytesInAll;
  }

  /**
   * Takes lines in. They can be read at once, and are on disk soon: a process that is killed loses what came within
   * the last second at most.
   * @returns the number of the first of them; the others follow one by one.
   * @throws Error for a source that is not known.
   */
  append(id: number, lines: readonly NewLogLine[]): number {
    const source = this.required(id);
    const first = source.nextSeq;
    if (lines.length === 0) return first;
    this.dirtyBytes += source.append(lines);
    this.dirty.add(source);
    if (this.dirtyBytes > this.flushBytes) this.flush();
    else this.flushTimer ??= setTimeout(() => this.flush(), FLUSH_MS);
    return first;
  }

  /** Resolves when more lines can be taken in: at once, unless the disk does not keep up. */
  async room(): Promise<void> {
    await this.owner?.room();
  }

  /**
   * Lines from a number on, in order; begins with the oldest where older ones are gone.
   * @param bytes with which it ends, of their texts together
   */
  async page(id: number, from: number, limit: number, bytes = Infinity): Promise<LogLine[]> {
    const source = this.required(id);
    return this.fresh(async () => {
      const lines: LogLine[] = [];
      let room = bytes;
      let next = Math.max(from, source.firstSeq);
      while (lines.length < limit && room > 0) {
        const entries = source.entriesFrom(next, limit - lines.length, room);
        const frames = await Promise.all(entries.map((entry) => this.read(entry)));
        for (const frame of frames) {
          if (!frame) continue;
          const begin = Math.max(0, next - frame.header.firstSeq);
          const end = Math.min(frame.header.count, begin + limit - lines.length);
          for (let index = begin; index < end && room > 0; index += 1) {
            lines.push(frame.line(index));
            room -= frame.bytesOf(index);
          }
        }
        const last = entries.at(-1);
        if (!last) break;
        next = last.endSeq;
      }
      return lines;
    });
  }

  /** Number of the first line whose effective time is at least this; that of the next new line if there is none. */
  async sequenceAt(id: number, time: number): Promise<number> {
    return this.merging([id], (merge) => merge.positionAt(time));
  }

  /** Lines of several sources in one order, from a position on. Sources that are not known are left out. */
  async merged(
    ids: readonly number[],
    position: number,
    limit: number,
    bounds: PageBounds = {},
  ): Promise<MergedPage> {
    return this.merging(ids, (merge) => merge.page(position, limit, bounds));
  }

  /** The same on either side of a position. */
  async around(ids: readonly number[], position: number, wanted: WantedPage): Promise<MergedPage> {
    return this.merging(ids, (merge) => merge.around(position, wanted));
  }

  /**
   * Position of a line in the merge of these sources.
   * @throws Error where the line is not kept, or its source is none of these.
   */
  async positionOf(ids: readonly number[], id: number, seq: number): Promise<number> {
    const position = await this.merging(ids, (merge) => merge.positionOf(id, seq));
    if (position === undefined) throw new Error(`line ${seq} of source ${id} is not kept`);
    return position;
  }

  /** Position of the first line of this effective time or later. */
  async positionAt(ids: readonly number[], time: number): Promise<number> {
    return this.merging(ids, (merge) => merge.positionAt(time));
  }

  /**
   * Finds lines, the newest first.
   * @throws DomainError `search_invalid` at once for an expression that is none.
   */
  search(query: SearchQuery, signal: AbortSignal): AsyncIterable<SearchEvent> {
    return new SearchRun(
      query,
      this.chosen(query.sources),
      this.pool,
      (place) => this.effectiveTime(place),
      signal,
    );
  }

  /**
   * Counts matching lines over time, in so many buckets of equal length.
   * @throws DomainError `search_invalid` for an expression that is none.
   */
  async histogram(query: SearchQuery, buckets: number, signal: AbortSignal): Promise<Histogram> {
    return new HistogramRun(query, buckets, this.chosen(query.sources), this.pool, signal).count();
  }

  /**
   * Deletes all lines of a source, for good. Its numbers go on.
   * @throws DomainError `storage_unavailable` where the disk did not take that in yet. Nobody is shown the lines any
   * more, and it is tried again, but until then a restart may bring them back.
   */
  async delete(id: number): Promise<{ lines: number; bytes: number }> {
    const source = this.required(id);
    const { firstSeq, nextSeq, bytes } = source.extent;
    this.dirty.delete(source);
    this.retention.forgetAll(source);
    const settled = await this.owner?.settled();
    if (settled && !settled.isSaved) {
      throw new DomainError(
        'storage_unavailable',
        'The lines are hidden, but not deleted for good: the data folder could not be written. Make sure that there is room on its disk and that it may be written. It is tried again by itself; until then a restart may bring the lines back.',
      );
    }
    return { lines: nextSeq - firstSeq, bytes };
  }

  /** Drops what the limits do not let stay, the oldest first; happens by itself each second, and sooner in a flood. */
  async enforceLimits(): Promise<void> {
    this.dropOldest();
    const before = this.retention.droppedBytes;
    const bytes = (await this.owner?.settled())?.bytes;
    if (bytes === undefined || bytes === null) return;
    // What the owner did up to then was heard before: what it does not count is on its way to it, and what was dropped
    // since it counts.
    const dropped = this.retention.droppedBytes - before;
    this.retention.measured(bytes + (this.owner?.unwritten ?? 0) - dropped);
  }

  async close(): Promise<void> {
    clearInterval(this.limitsTimer);
    this.flush();
    await this.pool.close();
    await this.owner?.close();
    this.reader.close();
  }

  private dropOldest(): void {
    this.uncheckedBytes = 0;
    const gone = this.retention.enforce(Date.now() * 1000);
    for (const { id, identity } of gone) {
      this.sourcesById.delete(id);
      this.idsByKey.delete(identity.key);
    }
  }

  /** One at a time: while the disk does nothing, they would pile up. */
  private lookAtLimits(): void {
    this.enforcing ??= this.enforceLimits().finally(() => (this.enforcing = undefined));
  }

  private know(source: SourceLines): void {
    this.sourcesById.set(source.id, source);
    this.idsByKey.set(source.identity.key, source.id);
  }

  private required(id: number): SourceLines {
    const source = this.sourcesById.get(id);
    if (!source) throw new Error(`there is no source ${id}`);
    return source;
  }

  private chosen(ids: readonly number[] | null): SourceLines[] {
    if (ids === null) return [...this.sourcesById.values()];
    return [...new Set(ids)].map((id) => this.sourcesById.get(id)).filter((source) => source !== undefined);
  }

  private flush(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    const entries = [...this.dirty].map((source) => source.seal()).filter((entry) => entry !== undefined);
    this.dirty.clear();
    this.dirtyBytes = 0;
    if (entries.length === 0) return;
    for (const { diskBytes } of entries) this.uncheckedBytes += diskBytes;
    const isMuch = this.uncheckedBytes > this.retention.spareBytes;
    // Room is made before it is taken.
    if (isMuch) this.dropOldest();
    this.owner?.write(entries);
    if (isMuch) this.lookAtLimits();
  }

  private hear(answer: OwnerAnswer & { type: 'replaced' | 'trouble' }): void {
    if (answer.type === 'trouble') {
      this.onTrouble(answer.reason);
      return;
    }
    const bySource = Map.groupBy(unpackEntries(answer.entries), ({ source }) => source);
    for (const source of this.sourcesById.values()) {
      source.replace(answer.file, bySource.get(source.id) ?? []);
    }
    this.reader.release(answer.file);
    this.owner?.send({ type: 'released', file: answer.file });
  }

  /** Another thread owns the files now. What is where is as it found it; what it does not know of is told again. */
  private reopened(opened: OwnerAnswer & { type: 'opened' }): void {
    this.reader.forget();
    if (opened.notice !== null) this.onTrouble(opened.notice);
    const entries = Map.groupBy(unpackEntries(opened.entries), ({ source }) => source);
    const before = new Map(opened.sources.map((source) => [source.id, source]));
    const lower: SourceLines[] = [];
    for (const source of this.sourcesById.values()) {
      source.restoreAll(entries.get(source.id) ?? []);
      const known = before.get(source.id);
      if (!known) this.owner?.send({ type: 'source', id: source.id, identity: source.identity });
      if (source.floor > (known?.firstSeq ?? 1)) lower.push(source);
      before.delete(source.id);
    }
    // Some of it may have been deleted.
    if (lower.length > 0) this.retention.tell(lower, true);
    for (const id of before.keys()) this.owner?.send({ type: 'remove', source: id });
  }

  private async merging<TResult>(
    ids: readonly number[],
    work: (merge: Merge) => Promise<TResult>,
  ): Promise<TResult> {
    return this.fresh(() => work(new Merge(this.chosen(ids), (entry) => this.read(entry))));
  }

  /** The effective time of a line where it is kept, else the given one. */
  private async effectiveTime(place: { time: number; source: number; seq: number }): Promise<number> {
    return this.fresh(async () => {
      const [entry] = this.sourcesById.get(place.source)?.entriesFrom(place.seq, 1) ?? [];
      const frame = entry && entry.firstSeq <= place.seq ? await this.read(entry) : undefined;
      return frame?.columns.effective[place.seq - frame.header.firstSeq] ?? place.time;
    });
  }

  private async read(entry: Entry): Promise<Frame | undefined> {
    const frame = await this.reader.read(entry);
    if (frame) return frame;
    if ((await this.owner?.isThere()) === false) {
      throw new DomainError(
        'storage_unavailable',
        'The lines cannot be read now: what writes them has ended and could not be started again yet. Make sure that there is room on the disk of the data folder, and try again.',
      );
    }
    const source = this.sourcesById.get(entry.source);
    if (source?.entries[source.indexOf(entry.firstSeq)] !== entry) throw new OutOfDate();
    return undefined;
  }

  /** Does it again where a file was written anew meanwhile. */
  private async fresh<TResult>(work: () => Promise<TResult>): Promise<TResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.reader.during(work);
      } catch (error) {
        if (!(error instanceof OutOfDate) || attempt === MOST_RETRIES) throw error;
      }
    }
  }
}

/** What was to be read is elsewhere by now. */
class OutOfDate extends Error {}
