import type { WireLine } from '../../../shared/api/api-types';
import {
  compareRows,
  type LogGap,
  type LogLine,
  type LogRow,
  readWireLine,
} from '../../../shared/lines/log-line';

/** What taking lines in did to the rows. */
export interface Taken {
  /** Where a row came to stand before others, by index, in the order of coming. */
  inserted: number[];
  /** Lines that belong before the first row here. */
  earlier: LogLine[];
}

/** The newest rows, in the order of the merge, as they come by the socket. */
export class LiveTail {
  private list: LogRow[] = [];
  /** Newest rank and number of each source. */
  private readonly newest = new Map<number, { rank: number; seq: number }>();

  get rows(): readonly LogRow[] {
    return this.list;
  }

  get hasGap(): boolean {
    return this.list.some(({ kind }) => kind === 'gap');
  }

  /** @param isWhole whether there is nothing before the first row here, so that nothing can belong there */
  take(source: number, lines: readonly WireLine[], isWhole: boolean): Taken {
    const taken: Taken = { inserted: [], earlier: [] };
    for (const wire of lines) {
      const before = this.newest.get(source);
      // A subscription that began anew may tell a line again.
      if (before && wire[0] <= before.seq) continue;
      const line = readWireLine(source, wire, before?.rank ?? 0);
      this.newest.set(source, { rank: line.rank, seq: line.seq });
      const first = this.list[0];
      if (!isWhole && first && compareRows(line, first) < 0) taken.earlier.push(line);
      else this.insert(line, taken);
    }
    return taken;
  }

  /** A row that says what is missing, after all that its source has told so far. */
  skip(source: number, from: number, to: number): Taken {
    const taken: Taken = { inserted: [], earlier: [] };
    const before = this.newest.get(source);
    const begin = Math.max(from, (before?.seq ?? 0) + 1);
    if (begin > to) return taken;
    const rank = Math.max(before?.rank ?? 0, this.list.at(-1)?.rank ?? 0);
    this.newest.set(source, { rank: before?.rank ?? 0, seq: to });
    this.insert({ kind: 'gap', source, from: begin, to, count: to - begin + 1, rank }, taken);
    return taken;
  }

  /**
   * Begins with what the server says are the newest lines; keeps what came since.
   * @param page in the order of the server, its first line the first row from now on
   */
  replace(page: readonly LogLine[]): void {
    const told = new Map<number, { rank: number; seq: number }>();
    for (const { source, rank, seq } of page) told.set(source, { rank, seq });
    const [first] = page;
    const since = this.list.flatMap((row): LogRow[] => {
      const known = told.get(row.source);
      // What is not in the page and older than it stands before it.
      if (!known) return first && compareRows(row, first) < 0 ? [] : [row];
      if (row.kind === 'line') return row.seq > known.seq ? [row] : [];
      const from = Math.max(row.from, known.seq + 1);
      const rank = Math.max(row.rank, known.rank);
      return from > row.to ? [] : [{ ...row, from, count: row.to - from + 1, rank }];
    });
    this.list = [...page];
    for (const [source, { rank, seq }] of told) {
      const now = this.newest.get(source);
      if (!now || now.seq < seq) this.newest.set(source, { rank: Math.max(rank, now?.rank ?? 0), seq });
    }
    for (const row of since) this.insert(row, { inserted: [], earlier: [] });
  }

  /** Takes the oldest rows away. */
  shift(count: number): LogRow[] {
    return this.list.splice(0, count);
  }

  /** Where a line stands, or −1. */
  indexOf(source: number, seq: number): number {
    return this.list.findIndex(
      (row) =>
        row.source === source && (row.kind === 'line' ? row.seq === seq : row.from <= seq && seq <= row.to),
    );
  }

  /** Lines of the rows, those in gaps counted too. */
  static linesIn(rows: readonly LogRow[]): number {
    return rows.reduce((sum, row) => sum + (row.kind === 'gap' ? row.count : 1), 0);
  }

  private insert(row: LogLine | LogGap, { inserted }: Taken): void {
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
    inserted.push(low);
  }
}
