import type { Entry } from './entry.js';

/** What was next of a source when the history was opened. */
export interface Opening {
  /** Names the time from one opening to the next: greater with each. */
  run: number;
  source: number;
  nextSeq: number;
}

/**
 * When the history was opened, and what was next then. A process that was killed has told numbers of lines that it
 * lost; they are given again, to the same lines where their log still has them, to others where it has not. With the
 * run in which a client was told its lines one can say which of them are still the ones that it knows.
 */
export class Openings {
  private readonly bySource: Map<number, Opening[]>;

  /**
   * @param run that begins now
   * @param openings in their order
   */
  constructor(
    readonly run: number,
    readonly openings: readonly Opening[],
  ) {
    this.bySource = Map.groupBy(openings, ({ source }) => source);
  }

  /** Begins a run. The clock names it, so that it has another name also where what was kept of the others is lost. */
  static begin(
    before: readonly Opening[],
    sources: readonly { id: number; nextSeq: number }[],
    entries: readonly Pick<Entry, 'source' | 'endSeq'>[],
  ): Openings {
    const next = new Map(sources.map(({ id, nextSeq }) => [id, nextSeq]));
    for (const { source, endSeq } of entries) next.set(source, Math.max(next.get(source) ?? 1, endSeq));
    const run = Math.max(Date.now(), (before.at(-1)?.run ?? 0) + 1);
    const opened = [...next].map(([source, nextSeq]) => ({ run, source, nextSeq }));
    return new Openings(run, [...before, ...opened]);
  }

  /** The first number of a source that may be another line than the one that was told in a run. */
  changedFrom(source: number, run: number): number {
    if (run === this.run) return Infinity;
    // A source that is younger than the run was told by nobody.
    return this.bySource.get(source)?.find((opening) => opening.run > run)?.nextSeq ?? 1;
  }
}
