import { DomainError } from '../../../core/errors/index.js';
import type { SourceLine } from '../../../drivers/log-store/index.js';
import type { LogHistory } from './log-history.js';
import type { Histogram, SearchQuery } from './search-query.js';

/** Spans of time into which a search is divided, and each of them again, until none holds too much. */
const SPANS = 200;

/** How much of what is found is in memory at once: a search finds the newest lines first. */
export interface PieceLimits {
  bytes: number;
  lines: number;
}

/** Where a piece of what was found ends, and how many lines it has. */
interface Cut {
  time: number;
  source: number;
  seq: number;
  lines: number;
}

/**
 * What a search finds, the oldest first. A search tells the newest first: so it is divided into spans of time of which
 * each fits into memory, by what is counted before, and each is turned round.
 */
export class FoundLines {
  private constructor(
    private readonly history: LogHistory,
    private readonly bounds: PieceLimits,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Counts what is to be found, and tells it in pieces.
   * @throws DomainError `search_invalid`, `search_timeout` at once; `search_timeout` and `line_not_found` later as well,
   * where not all of it can be told
   */
  static async of(
    history: LogHistory,
    query: SearchQuery,
    bounds: PieceLimits,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly SourceLine[]>> {
    const found = new FoundLines(history, bounds, signal);
    return found.spans(query, await found.count(query));
  }

  private async count(query: SearchQuery): Promise<Histogram> {
    const counted = await this.history.histogram(query, SPANS, this.signal);
    if (counted.reason === 'timeout') throw timedOut();
    return counted;
  }

  private async *spans(
    query: SearchQuery,
    { from, width, buckets }: Histogram,
  ): AsyncGenerator<readonly SourceLine[]> {
    let begin = query.from ?? from;
    let lines = 0;
    let bytes = 0;
    for (const [index, bucket] of buckets.entries()) {
      const next = buckets[index + 1];
      lines += bucket.total;
      bytes += bucket.bytes;
      if (next && this.fits(lines + next.total, bytes + next.bytes)) continue;
      const end = next?.time ?? query.to ?? bucket.time + width + 1;
      const span = { ...query, from: begin, to: end };
      // What is of one moment is not divided any further by time.
      const isDivided = !this.fits(lines, bytes) && end - begin > SPANS;
      if (lines > 0) yield* isDivided ? this.spans(span, await this.count(span)) : this.turned(span);
      if (this.signal.aborted) return;
      begin = end;
      lines = 0;
      bytes = 0;
    }
  }

  private fits(lines: number, bytes: number): boolean {
    return lines <= this.bounds.lines && bytes <= this.bounds.bytes;
  }

  /**
   * What is found in a span. Where it is more than fits, the place at which each piece ends is all that is kept of it,
   * and it is looked for once more.
   */
  private async *turned(query: SearchQuery): AsyncGenerator<readonly SourceLine[]> {
    const cuts: Cut[] = [];
    let piece: SourceLine[] = [];
    let bytes = 0;
    for await (const found of this.matches({ ...query, limit: Infinity })) {
      const more = Buffer.byteLength(found.line.text);
      const last = piece.at(-1);
      if (last && !this.fits(piece.length + 1, bytes + more)) {
        cuts.push({ time: last.line.time, source: last.source, seq: last.line.seq, lines: piece.length });
        piece = [];
        bytes = 0;
      }
      piece.push(found);
      bytes += more;
    }
    yield piece.reverse();
    piece = [];
    for (let index = cuts.length - 1; index >= 0 && !this.signal.aborted; index -= 1) {
      const before = cuts[index - 1] ?? null;
      yield (await this.upTo(cuts[index] as Cut, { ...query, before })).reverse();
    }
  }

  private async upTo({ source, seq, lines }: Cut, query: SearchQuery): Promise<SourceLine[]> {
    const piece: SourceLine[] = [];
    // Late lines may have come in between.
    const limit = lines + this.bounds.lines;
    for await (const found of this.matches({ ...query, limit })) {
      piece.push(found);
      if (found.source === source && found.line.seq === seq) return piece;
    }
    if (this.signal.aborted) return [];
    throw new DomainError('line_not_found', 'Lines that were to be written have been deleted meanwhile.');
  }

  private async *matches(query: SearchQuery): AsyncGenerator<SourceLine> {
    for await (const event of this.history.search(query, this.signal)) {
      if (event.type === 'match') yield { source: event.source, line: event.line };
      else if (event.type === 'end' && event.reason === 'timeout') throw timedOut();
    }
  }
}

function timedOut(): DomainError {
  return new DomainError('search_timeout', 'The search took too long.');
}
