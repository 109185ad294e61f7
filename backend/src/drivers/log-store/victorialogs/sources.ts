import type { RunStart, SourceExtent, SourceIdentity, StoredSource } from '../log-source.js';
import type { SourceRecord, SpoolStore } from './spool.store.js';

export interface Source extends SourceRecord {
  isPresent: boolean;
}

/** Every known source, and which numbers it had next in earlier runs. */
export class Sources {
  readonly run: number;
  private readonly byId = new Map<number, Source>();
  private readonly byKey = new Map<string, Source>();
  private readonly openings: Map<number, RunStart[]>;
  private readonly firstRun: number;

  constructor(
    private readonly file: SpoolStore,
    private lastSource: number,
  ) {
    for (const record of file.sources()) this.add({ ...record, isPresent: false });
    // The clock names a run, so that its name differs also when the file was lost.
    this.run = Math.max(Date.now(), (file.runs().at(-1) ?? 0) + 1);
    this.openings = Map.groupBy(file.beginRun(this.run), ({ source }) => source);
    this.firstRun = file.runs()[0] ?? this.run;
  }

  changedFrom(id: number, run: number): number {
    if (run === this.run) return Infinity;
    // Runs before the oldest stored one are unknown.
    if (run < this.firstRun) return 1;
    return this.openings.get(id)?.find((opening) => opening.run > run)?.nextSeq ?? 1;
  }

  /** @returns the source, and whether something of it has to be stored. */
  register(identity: SourceIdentity): { source: Source; isChanged: boolean } {
    const known = this.byKey.get(identity.key);
    if (known) {
      const isChanged = JSON.stringify(known.identity) !== JSON.stringify(identity);
      Object.assign(known, { identity, isPresent: true });
      return { source: known, isChanged };
    }
    this.lastSource += 1;
    const numbers = { firstSeq: 1, nextSeq: 1, bytes: 0, firstTime: null, lastTime: 0, hiddenBelow: 1 };
    const source: Source = { id: this.lastSource, identity, ...numbers, isPresent: true };
    this.add(source);
    return { source, isChanged: true };
  }

  get(id: number): Source | undefined {
    return this.byId.get(id);
  }

  /** @throws Error for an unknown source. */
  required(id: number): Source {
    const source = this.byId.get(id);
    if (!source) throw new Error(`Source ${id} does not exist.`);
    return source;
  }

  /** Known sources of a request, in the order of a merge. */
  chosen(ids: readonly number[] | null): Source[] {
    if (ids === null) return [...this.byId.values()];
    const known = [...new Set(ids)].map((id) => this.byId.get(id)).filter((source) => source !== undefined);
    return known.sort((one, other) => one.id - other.id);
  }

  all(): StoredSource[] {
    return [...this.byId.values()].map((source) => {
      return { id: source.id, identity: source.identity, extent: extentOf(source) };
    });
  }

  remove(source: Source): void {
    // First, so that a failure leaves it for the next attempt.
    this.file.removeSource(source.id);
    this.byId.delete(source.id);
    this.byKey.delete(source.identity.key);
  }

  private add(source: Source): void {
    this.byId.set(source.id, source);
    this.byKey.set(source.identity.key, source);
  }
}

export function extentOf({ firstSeq, nextSeq, bytes, firstTime, lastTime }: Source): SourceExtent {
  const isEmpty = firstSeq === nextSeq;
  return { firstSeq, nextSeq, bytes, firstTime, lastTime: isEmpty ? null : lastTime };
}

/** Drops what is older than a number from what is known of a source. */
export function raiseFirst(source: Source, firstSeq: number, firstTime: number | null): void {
  const before = source.nextSeq - source.firstSeq;
  const after = source.nextSeq - firstSeq;
  // The database does not tell how long the lines were that it dropped.
  source.bytes = before > 0 ? Math.round((source.bytes * after) / before) : 0;
  Object.assign(source, { firstSeq, firstTime });
}
