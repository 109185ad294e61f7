import type { WireLine } from '../../../shared/api/api-types';
import { compareRows, type LogLine, type LogRow, readWireLine } from '../../../shared/lines/log-line';

/** The newest rows in merge order, received from the socket. */
export class LiveTail {
  private list: LogRow[] = [];
  private readonly newest = new Map<number, { rank: number; seq: number }>();

  get rows(): readonly LogRow[] {
    return this.list;
  }

  /**
   * @param isWhole no lines exist before the first row
   * @returns lines before the first row
   */
  append(source: number, lines: readonly WireLine[], isWhole: boolean): LogLine[] {
    const earlier: LogLine[] = [];
    for (const wire of lines) {
      const before = this.newest.get(source);
      // A new subscription may repeat lines.
      if (before && wire[0] <= before.seq) continue;
      const line = readWireLine(source, wire, before?.rank ?? 0);
      this.newest.set(source, { rank: line.rank, seq: line.seq });
      const first = this.list[0];
      if (!isWhole && first && compareRows(line, first) < 0) earlier.push(line);
      else this.insert(line);
    }
    return earlier;
  }

  /** Adds a gap after all received lines of its source. */
  skip(source: number, from: number, to: number): void {
    const before = this.newest.get(source);
    const begin = Math.max(from, (before?.seq ?? 0) + 1);
    if (begin > to) return;
    const rank = Math.max(before?.rank ?? 0, this.list.at(-1)?.rank ?? 0);
    this.newest.set(source, { rank: before?.rank ?? 0, seq: to });
    this.insert({ kind: 'gap', source, from: begin, to, count: to - begin + 1, rank });
  }

  /**
   * Replaces the rows by the newest lines from the server; keeps lines received since.
   * @param page in merge order; its first line becomes the first row
   */
  replace(page: readonly LogLine[]): void {
    const latest = new Map<number, { rank: number; seq: number }>();
    for (const { source, rank, seq } of page) latest.set(source, { rank, seq });
    const [first] = page;
    const since = this.list.flatMap((row): LogRow[] => {
      const known = latest.get(row.source);
      // A row whose source is not in the page, older than the page.
      if (!known) return first && compareRows(row, first) < 0 ? [] : [row];
      if (row.kind === 'line') return row.seq > known.seq ? [row] : [];
      const from = Math.max(row.from, known.seq + 1);
      const rank = Math.max(row.rank, known.rank);
      return from > row.to ? [] : [{ ...row, from, count: row.to - from + 1, rank }];
    });
    this.list = [...page];
    for (const [source, { rank, seq }] of latest) {
      const now = this.newest.get(source);
      if (!now || now.seq < seq) this.newest.set(source, { rank: Math.max(rank, now?.rank ?? 0), seq });
    }
    for (const row of since) this.insert(row);
  }

  shift(count: number): LogRow[] {
    return this.list.splice(0, count);
  }

  /** Index of a line, or −1. */
  indexOf(source: number, seq: number): number {
    return this.list.findIndex(
      (row) =>
        row.source === source && (row.kind === 'line' ? row.seq === seq : row.from <= seq && seq <= row.to),
    );
  }

  private insert(row: LogRow): void {
    const last = this.list.at(-1);
    if (!last || compareRows(last, row) <= 0) {
      this.list.push(row);
      return;
    }
    let low = 0;
    let high = this.list.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.list[middle];
      if (there && compareRows(there, row) <= 0) low = middle + 1;
      else high = middle;
    }
    this.list.splice(low, 0, row);
  }
}
