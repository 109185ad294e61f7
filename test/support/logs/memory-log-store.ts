import { DomainError } from '../../../backend/src/core/errors/domain-error.js';
import {
  LOG_STORE_CAPABILITIES,
  type LogStore,
  type LogStoreCapabilities,
  type LogStoreStatus,
  type RetentionLimits,
} from '../../../backend/src/drivers/log-store/log-store.js';
import { shorten, type LogLine, type NewLogLine } from '../../../backend/src/drivers/log-store/log-line.js';
import type {
  Histogram,
  HistogramBucket,
  LogPage,
  LogQuery,
  LogSearch,
  PageRequest,
  SearchEvent,
  SourceLine,
} from '../../../backend/src/drivers/log-store/log-query.js';
import type {
  SourceExtent,
  SourceIdentity,
  StoredSource,
} from '../../../backend/src/drivers/log-store/log-source.js';
import { lineFilter } from './line-filter.js';

const DAY = 24 * 60 * 60 * 1_000_000;

/** A stored line with its effective time. */
interface Entry {
  source: number;
  effective: number;
  line: LogLine;
}

interface Source {
  id: number;
  identity: SourceIdentity;
  isPresent: boolean;
  entries: Entry[];
  nextSeq: number;
  lastTime: number;
}

interface Contents {
  nextId: number;
  sources: Map<number, Source>;
  /** Next number of each source at each opening. */
  openings: { run: number; next: Map<number, number> }[];
}

const FOLDERS = new Map<string, Contents>();

/** A log store of plain arrays and filters: the reference model of the contract, and a fast store for unit specs. */
export class MemoryLogStore implements LogStore {
  readonly kind = 'embedded';
  readonly capabilities: LogStoreCapabilities = LOG_STORE_CAPABILITIES.embedded;
  readonly notice = null;
  readonly run: number;
  private readonly openings: Contents['openings'];
  private readonly known: Map<number, Source>;

  private constructor(
    private readonly contents: Contents,
    private readonly limits: RetentionLimits,
  ) {
    this.known = contents.sources;
    this.openings = contents.openings;
    this.run = this.openings.length + 1;
    for (const source of this.known.values()) source.isPresent = false;
    const next = new Map([...this.known.values()].map(({ id, nextSeq }) => [id, nextSeq]));
    this.openings.push({ run: this.run, next });
  }

  /** Opens what an earlier store of this process kept for the folder. Without a folder, nothing is kept. */
  static open(limits: RetentionLimits, folder?: string): MemoryLogStore {
    const kept = folder === undefined ? undefined : FOLDERS.get(folder);
    const contents = kept ?? { nextId: 1, sources: new Map<number, Source>(), openings: [] };
    if (folder !== undefined) FOLDERS.set(folder, contents);
    return new MemoryLogStore(contents, limits);
  }

  changedFrom(id: number, run: number): number {
    if (run === this.run) return Infinity;
    return this.openings.find((opening) => opening.run > run)?.next.get(id) ?? 1;
  }

  /** @param wantedId id of a new source; a store under test and its model use the same ids. */
  source(identity: SourceIdentity, wantedId = this.contents.nextId): number {
    const found = [...this.known.values()].find((source) => source.identity.key === identity.key);
    const source = found ?? { id: wantedId, identity, isPresent: true, entries: [], nextSeq: 1, lastTime: 0 };
    Object.assign(source, { identity, isPresent: true });
    this.known.set(source.id, source);
    this.contents.nextId = Math.max(this.contents.nextId, source.id + 1);
    return source.id;
  }

  leave(id: number): void {
    const source = this.known.get(id);
    if (source) source.isPresent = false;
  }

  sources(): readonly StoredSource[] {
    return [...this.known.values()].map(({ id, identity, ...rest }) => ({
      id,
      identity,
      extent: extentOf(rest),
    }));
  }

  extent(id: number): SourceExtent | undefined {
    const source = this.known.get(id);
    return source && extentOf(source);
  }

  append(id: number, lines: readonly NewLogLine[]): number {
    const source = this.required(id);
    const first = source.nextSeq;
    for (const line of lines) {
      source.lastTime = Math.max(source.lastTime, line.time);
      const stored = { ...line, text: line.text.toWellFormed(), seq: source.nextSeq };
      source.entries.push({ source: id, effective: source.lastTime, line: stored });
      source.nextSeq += 1;
    }
    return first;
  }

  async room(): Promise<void> {
    // There is always room.
  }

  async flush(): Promise<void> {
    // Nothing is on a disk.
  }

  async lines(id: number, from: number, limit: number, maxBytes = Infinity): Promise<LogLine[]> {
    const found: LogLine[] = [];
    let bytes = 0;
    for (const { line } of this.required(id).entries) {
      if (line.seq < from) continue;
      if (found.length >= limit || bytes >= maxBytes) break;
      found.push({ ...line });
      bytes += bytesOf(line);
    }
    return found;
  }

  async seqAt(id: number, time: number): Promise<number> {
    const source = this.required(id);
    return source.entries.find(({ effective }) => effective >= time)?.line.seq ?? source.nextSeq;
  }

  async page(ids: readonly number[], position: number, request: PageRequest): Promise<LogPage> {
    const { before, after, bytes = Infinity, characters = Infinity } = request;
    const { entries, first, end } = this.merge(ids);
    const from = Math.min(Math.max(position, first), end);
    const at = from - first;
    const earlier = take(entries.slice(0, at).reverse(), before, after > 0 ? bytes / 2 : bytes, characters);
    const missing = earlier.endedEarly ? 0 : before - earlier.lines.length;
    const later = take(entries.slice(at), after > 0 ? after + missing : 0, bytes - earlier.bytes, characters);
    return {
      lines: [...earlier.lines.reverse(), ...later.lines],
      position: from - earlier.lines.length,
      first,
      end,
      endedEarly: earlier.endedEarly || later.endedEarly,
    };
  }

  async positionOf(ids: readonly number[], id: number, seq: number): Promise<number> {
    const { entries, first } = this.merge(ids);
    const index = entries.findIndex(({ source, line }) => source === id && line.seq === seq);
    if (index < 0) throw new DomainError('line_not_found', `Line ${seq} of source ${id} is not stored.`);
    return first + index;
  }

  async positionAt(ids: readonly number[], time: number): Promise<number> {
    const { entries, first, end } = this.merge(ids);
    const index = entries.findIndex(({ effective }) => effective >= time);
    return index < 0 ? end : first + index;
  }

  async *search(search: LogSearch, signal: AbortSignal): AsyncGenerator<SearchEvent, void, undefined> {
    const { order, limit, cursor, bytes = Infinity, characters = Infinity } = search;
    const isMatch = lineFilter(search);
    const { entries } = this.merge(search.sources ?? [...this.known.keys()]);
    const sign = order === 'newest' ? -1 : 1;
    const start = cursor && this.placeOf(cursor);
    const candidates = entries
      .filter(({ effective }) => effective >= (search.from ?? -Infinity))
      .filter(({ effective }) => effective < (search.to ?? Infinity))
      .filter((entry) => !start || sign * compare(entry, start) > 0)
      .sort((one, other) => sign * compare(one, other));
    const matches = candidates.filter(({ line, source }) => isMatch(line, source));
    const found = take(matches, limit, bytes, characters);
    for (const match of found.lines) {
      if (signal.aborted) return;
      yield { type: 'match', ...match };
    }
    const matched = found.lines.length;
    const reason = matched < matches.length ? 'limit' : 'complete';
    yield { type: 'end', searched: candidates.length, matched, reason, time: null };
  }

  async histogram(query: LogQuery, count: number): Promise<Histogram> {
    const isMatch = lineFilter(query);
    const { entries } = this.merge(query.sources ?? [...this.known.keys()]);
    const from = query.from ?? Math.min(entries[0]?.effective ?? 0, (query.to ?? Infinity) - 1);
    const to = Math.max(query.to ?? (entries.at(-1)?.effective ?? 0) + 1, from + 1);
    const width = Math.ceil((to - from) / count);
    const within = entries.filter(({ effective }) => effective >= from && effective < to);
    const matches = within.filter(({ line, source }) => isMatch(line, source));
    const buckets = Array.from({ length: count }, (_, index): HistogramBucket => {
      return { time: from + index * width, total: 0, levels: {} };
    });
    for (const { effective, line } of matches) {
      const bucket = buckets[Math.floor((effective - from) / width)] as HistogramBucket;
      const level = line.level ?? 'none';
      bucket.total += 1;
      bucket.levels[level] = (bucket.levels[level] ?? 0) + 1;
    }
    return { from, to, width, buckets, reason: 'complete' };
  }

  async delete(id: number): Promise<{ lines: number; bytes: number }> {
    const source = this.required(id);
    const { bytes } = extentOf(source);
    return { lines: source.entries.splice(0).length, bytes };
  }

  async enforceRetention(): Promise<void> {
    const { maxAgeDays, bytesPerSource, totalBytes } = this.limits;
    const oldest = Date.now() * 1000 - maxAgeDays * DAY;
    for (const source of this.known.values()) {
      while ((source.entries[0]?.effective ?? Infinity) < oldest) source.entries.shift();
      let { bytes } = extentOf(source);
      for (; bytes > bytesPerSource; bytes -= bytesOf((source.entries.shift() as Entry).line));
    }
    const all = this.merge([...this.known.keys()]).entries;
    let total = this.bytes;
    for (const { source, line } of all) {
      if (total <= totalBytes) break;
      this.required(source).entries.shift();
      total -= bytesOf(line);
    }
    for (const { id, isPresent, entries } of this.known.values()) {
      if (!isPresent && entries.length === 0) this.known.delete(id);
    }
  }

  status(): LogStoreStatus {
    return { state: 'ok', reason: null, pendingBytes: 0, discardedLines: 0, bytesOnDisk: this.bytes };
  }

  async close(): Promise<void> {
    // The contents stay for the next opening.
  }

  private get bytes(): number {
    return this.sources().reduce((sum, { extent }) => sum + extent.bytes, 0);
  }

  private required(id: number): Source {
    const source = this.known.get(id);
    if (!source) throw new Error(`Source ${id} does not exist.`);
    return source;
  }

  private merge(ids: readonly number[]): { entries: Entry[]; first: number; end: number } {
    const chosen = [...new Set(ids)].map((id) => this.known.get(id)).filter((one) => one !== undefined);
    const entries = chosen.flatMap((source) => source.entries).sort(compare);
    const first = chosen.reduce((sum, source) => sum + firstSeqOf(source), 0) - (chosen.length - 1);
    return { entries, first, end: first + entries.length };
  }

  /** The place of a line in the merge, by its effective time if it is stored. */
  private placeOf({ source, seq, time }: NonNullable<LogSearch['cursor']>): Entry {
    const entry = this.known.get(source)?.entries.find(({ line }) => line.seq === seq);
    return entry ?? { source, effective: time, line: { seq } as LogLine };
  }
}

function compare(one: Entry, other: Entry): number {
  return one.effective - other.effective || one.source - other.source || one.line.seq - other.line.seq;
}

function bytesOf({ text }: Pick<LogLine, 'text'>): number {
  return Buffer.byteLength(text);
}

function firstSeqOf({ entries, nextSeq }: Pick<Source, 'entries' | 'nextSeq'>): number {
  return entries[0]?.line.seq ?? nextSeq;
}

function extentOf({ entries, nextSeq }: Pick<Source, 'entries' | 'nextSeq'>): SourceExtent {
  return {
    firstSeq: firstSeqOf({ entries, nextSeq }),
    nextSeq,
    bytes: entries.reduce((sum, { line }) => sum + bytesOf(line), 0),
    firstTime: entries[0]?.effective ?? null,
    lastTime: entries.at(-1)?.effective ?? null,
  };
}

/** The first lines of some, as many as the limits allow. */
function take(
  entries: readonly Entry[],
  limit: number,
  maxBytes: number,
  characters: number,
): { lines: SourceLine[]; bytes: number; endedEarly: boolean } {
  const lines: SourceLine[] = [];
  let bytes = 0;
  for (const { source, line } of entries.slice(0, Math.max(0, limit))) {
    const shortened = shorten({ ...line }, characters);
    const size = bytesOf(shortened);
    if (lines.length > 0 && bytes + size > maxBytes) return { lines, bytes, endedEarly: true };
    lines.push({ source, line: shortened });
    bytes += size;
  }
  return { lines, bytes, endedEarly: false };
}
