import { shorten } from '../log-line.js';
import { mergedPosition, type LogPage, type PageRequest, type SourceLine } from '../log-query.js';
import { integerOf, placeOf, type Entry, type Place } from './line-format.js';
import { QUERY_TIMEOUT_MS, type LineReader, type Scan, type Snapshot } from './line-reader.js';
import { LineQuery } from './line-query.js';
import { allOf, between } from './logsql.js';
import type { Source } from './sources.js';

/** Lines that are read one by one to reach a position, once it is that near. */
const NEAR_LINES = 250;
const MAX_STEPS = 60;

const ANY = new LineQuery({
  sources: null,
  text: null,
  regex: false,
  matchCase: true,
  without: [],
  levels: null,
  streams: null,
  fields: [],
  withoutFields: [],
  condition: null,
  from: null,
  to: null,
});

/** The merge of some sources, and positions in it. */
export class Merge {
  constructor(
    private readonly reader: LineReader,
    private readonly snapshot: Snapshot,
    private readonly deadline = performance.now() + QUERY_TIMEOUT_MS,
  ) {}

  get first(): number {
    return mergedPosition(this.snapshot.sources.map(({ firstSeq }) => firstSeq));
  }

  get end(): number {
    return mergedPosition(this.snapshot.sources.map(({ nextSeq }) => nextSeq));
  }

  async positionAt(time: number): Promise<number> {
    return mergedPosition(await this.seqsAt(this.snapshot.sources, time));
  }

  /** Position that a line at a place has, or would have. */
  async positionOf({ effective, source, seq }: Place): Promise<number> {
    const { sources } = this.snapshot;
    const own = sources.filter(({ id }) => id === source);
    const [lower, higher] = await Promise.all([
      this.seqsAt(
        sources.filter(({ id }) => id < source),
        effective + 1,
      ),
      this.seqsAt(
        sources.filter(({ id }) => id > source),
        effective,
      ),
    ]);
    return mergedPosition([...lower, ...own.map(() => seq), ...higher]);
  }

  async page(position: number, request: PageRequest): Promise<LogPage> {
    const { before, after, bytes = Infinity, characters = Infinity } = request;
    const { first, end } = this;
    const from = Math.min(Math.max(position, first), end);
    if (before + after <= 0) return { lines: [], position: from, first, end, endedEarly: false };
    const at = this.isSingle ? null : await this.placeAt(from);
    const earlier = new Limits(before, after > 0 ? bytes / 2 : bytes, characters);
    const hasEarlier = before > 0 && from > first;
    const lines = hasEarlier ? await gather(this.linesBefore(from, at, before), earlier) : [];
    lines.reverse();
    const wanted = after > 0 ? after + (earlier.endedEarly ? 0 : before - lines.length) : 0;
    const later = new Limits(wanted, bytes - earlier.bytes, characters);
    if (wanted > 0 && from < end) lines.push(...(await gather(this.linesFrom(from, at, wanted), later)));
    return {
      lines,
      position: from - earlier.count,
      first,
      end,
      endedEarly: earlier.endedEarly || later.endedEarly,
    };
  }

  private get isSingle(): boolean {
    return this.snapshot.sources.length === 1;
  }

  private linesBefore(position: number, at: Place | null, limit: number): AsyncGenerator<Entry> {
    if (this.isSingle) return this.reader.bySeq(this.snapshot, 0, position, 'newest', limit);
    return this.entries({ order: 'newest', after: at, limit });
  }

  private linesFrom(position: number, at: Place | null, limit: number): AsyncGenerator<Entry> {
    if (this.isSingle) return this.reader.bySeq(this.snapshot, position, Infinity, 'oldest', limit);
    return this.entries({ order: 'oldest', after: at && { ...at, seq: at.seq - 1 }, limit });
  }

  private async *entries(
    scan: Pick<Scan, 'order' | 'after' | 'limit'>,
    from = -Infinity,
  ): AsyncGenerator<Entry, void, undefined> {
    const { deadline } = this;
    const events = this.reader.scan(this.snapshot, { ...scan, query: ANY, from, to: Infinity, deadline });
    for await (const event of events) if (event.type === 'entry') yield event.entry;
  }

  /** Place of the line at a position; null at the end. */
  private async placeAt(position: number): Promise<Place | null> {
    if (position >= this.end) return null;
    const start = await this.timeBefore(position);
    let skip = position - start.position;
    let last: Place | null = null;
    const scan = { order: 'oldest', after: null, limit: skip } as const;
    for await (const entry of this.entries(scan, start.time)) {
      last = placeOf(entry);
      if (skip === 0) return last;
      skip -= 1;
    }
    return null;
  }

  /** A time shortly before the line at a position, and the position there. */
  private async timeBefore(position: number): Promise<{ time: number; position: number }> {
    const filled = this.snapshot.sources.filter(({ firstSeq, nextSeq }) => firstSeq < nextSeq);
    let low = {
      time: filled.reduce((least, one) => Math.min(least, one.firstTime ?? 0), Infinity),
      position: this.first,
    };
    let high = {
      time: filled.reduce((most, one) => Math.max(most, one.lastTime + 1), 0),
      position: this.end,
    };
    for (let step = 0; step < MAX_STEPS; step += 1) {
      if (position - low.position <= NEAR_LINES || high.time - low.time <= 1) return low;
      // Where lines are spread evenly, few steps are enough. Every third one halves the time, whatever the spread.
      const wanted = position - NEAR_LINES / 2;
      const part = step % 3 === 2 ? 0.5 : (wanted - low.position) / (high.position - low.position);
      const guess = low.time + Math.round((high.time - low.time) * part);
      const time = Math.min(Math.max(guess, low.time + 1), high.time - 1);
      const middle = { time, position: await this.positionAt(time) };
      if (middle.position <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** For each source, the number of its first line at or after a time. */
  private async seqsAt(sources: readonly Source[], time: number): Promise<number[]> {
    const { view } = this.snapshot;
    const known = new Map<number, number>();
    for (const { id, firstSeq, nextSeq, firstTime, lastTime } of sources) {
      if (firstSeq === nextSeq || time > lastTime) known.set(id, nextSeq);
      else if (time <= (firstTime ?? 0)) known.set(id, firstSeq);
      else {
        const recent = view.seqAt(id, time);
        if (recent !== undefined) known.set(id, recent);
      }
    }
    const asked = sources.filter(({ id }) => !known.has(id));
    if (asked.length > 0) {
      const lines = allOf([this.reader.olderLines(this.snapshot, asked), between(null, time)]);
      const options = { timeoutMs: this.deadline - performance.now() };
      const rows = await this.reader.rows(`${lines} | stats by (source) max(seq) as last`, options);
      for (const row of rows) known.set(integerOf(row, 'source'), integerOf(row, 'last') + 1);
    }
    return sources.map(({ id, firstSeq }) => Math.max(known.get(id) ?? firstSeq, firstSeq));
  }
}

/** The limits of a page or a search, while lines are taken one after the other. */
export class Limits {
  count = 0;
  bytes = 0;
  endedEarly = false;

  constructor(
    private readonly limit: number,
    private readonly maxBytes: number,
    private readonly characters: number,
  ) {}

  get isFull(): boolean {
    return this.endedEarly || this.count >= this.limit;
  }

  /** @returns the line, shortened if necessary; undefined if there is no room for it. */
  take({ source, line }: Entry): SourceLine | undefined {
    if (this.isFull) return undefined;
    const shortened = shorten({ ...line }, this.characters);
    const bytes = Buffer.byteLength(shortened.text);
    this.endedEarly = this.count > 0 && this.bytes + bytes > this.maxBytes;
    if (this.endedEarly) return undefined;
    this.count += 1;
    this.bytes += bytes;
    return { source, line: shortened };
  }
}

async function gather(entries: AsyncIterable<Entry>, limits: Limits): Promise<SourceLine[]> {
  const lines: SourceLine[] = [];
  for await (const entry of entries) {
    const taken = limits.take(entry);
    if (taken) lines.push(taken);
    if (limits.isFull) break;
  }
  return lines;
}
