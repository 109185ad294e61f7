/** Length of one interval of a trend. */
const INTERVAL_MS = 15_000;
/** Fifteen minutes. */
const INTERVALS = 60;

/** Null for unknown. The units are those of the caller. */
interface Usage {
  cpu: number | null;
  memory: number | null;
}

export interface UsageTrend {
  cpu: (number | null)[];
  memory: (number | null)[];
}

/** The number of an interval is that of its slot, modulo INTERVALS. NaN is unknown. */
interface Known {
  newest: number;
  cpu: Float64Array;
  memory: Float64Array;
}

/**
 * Usage of the last 15 minutes, by an id. Only in memory, and only of the time in which samples were added. Takes about
 * 1.3 kB per id.
 */
export class UsageTrends {
  private readonly known = new Map<string, Known>();

  get size(): number {
    return this.known.size;
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  /** @param at milliseconds since the epoch */
  add(id: string, at: number, { cpu, memory }: Usage): void {
    const current = Math.floor(at / INTERVAL_MS);
    const known = this.known.get(id) ?? nothingKnown(current);
    this.known.set(id, known);
    advance(known, current);
    const slot = current % INTERVALS;
    known.cpu[slot] = higher(known.cpu[slot], cpu);
    known.memory[slot] = higher(known.memory[slot], memory);
  }

  /** The maximum of each interval, the oldest first; null for intervals without a sample. */
  get(id: string, now: number): UsageTrend {
    const last = Math.floor(now / INTERVAL_MS);
    const known = this.known.get(id);
    const series = (values: Float64Array | undefined): (number | null)[] =>
      Array.from({ length: INTERVALS }, (_, index) => {
        const interval = last - INTERVALS + 1 + index;
        const isKept = known && interval <= known.newest && interval > known.newest - INTERVALS;
        return isKept ? orNull(values?.[interval % INTERVALS]) : null;
      });
    return { cpu: series(known?.cpu), memory: series(known?.memory) };
  }

  /** Removes deleted containers. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }

  /** Removes what has no sample in the last 15 minutes. */
  expire(now: number): void {
    const oldest = Math.floor(now / INTERVAL_MS) - INTERVALS;
    for (const [id, { newest }] of this.known) if (newest <= oldest) this.known.delete(id);
  }
}

function nothingKnown(newest: number): Known {
  return {
    newest,
    cpu: new Float64Array(INTERVALS).fill(Number.NaN),
    memory: new Float64Array(INTERVALS).fill(Number.NaN),
  };
}

/**
 * Clears the intervals since the newest sample. A single one keeps the values before it: samples that are taken every
 * 15 s miss an interval now and then.
 */
function advance(known: Known, current: number): void {
  const isOneMissed = current - known.newest === 2;
  const before = known.newest % INTERVALS;
  for (let next = Math.max(known.newest, current - INTERVALS) + 1; next <= current; next += 1) {
    const isFilled = isOneMissed && next < current;
    for (const series of [known.cpu, known.memory]) {
      series[next % INTERVALS] = isFilled ? (series[before] ?? Number.NaN) : Number.NaN;
    }
  }
  known.newest = Math.max(known.newest, current);
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

function higher(one: number | undefined, other: number | null): number {
  return higherOf(orNull(one), other) ?? Number.NaN;
}

/** The higher of two figures, of which either can be unknown. */
export function higherOf(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}
