/** Length and number of the steps of a trend. */
interface Resolution {
  stepMs: number;
  steps: number;
}

/** The last hour. A sample every 15 s leaves no gaps. */
export const HOUR: Resolution = { stepMs: 30_000, steps: 120 };
/** The last 24 hours. */
export const DAY: Resolution = { stepMs: 300_000, steps: 288 };

/** Null for unknown. The units are those of the caller. */
export interface Usage {
  cpu: number | null;
  memory: number | null;
}

export interface UsageTrend {
  cpu: (number | null)[];
  memory: (number | null)[];
}

/** The number of a step is that of its slot, modulo the number of steps. NaN is unknown. */
interface Known {
  newest: number;
  /** Seven digits are more than a curve shows. */
  cpu: Float32Array;
  memory: Float32Array;
}

/**
 * Usage over time, by an id. Only in memory, and only of the time in which samples were added. Takes 1 kB per id for an
 * hour, and 2.3 kB for a day.
 */
export class UsageTrends {
  private readonly known = new Map<string, Known>();

  constructor(private readonly resolution: Resolution) {}

  get size(): number {
    return this.known.size;
  }

  has(id: string): boolean {
    return this.known.has(id);
  }

  /** @param at milliseconds since the epoch */
  add(id: string, at: number, { cpu, memory }: Usage): void {
    const { stepMs, steps } = this.resolution;
    const current = Math.floor(at / stepMs);
    const known = this.known.get(id) ?? nothingKnown(current, steps);
    this.known.set(id, known);
    advance(known, current, steps);
    const slot = current % steps;
    known.cpu[slot] = higher(known.cpu[slot], cpu);
    known.memory[slot] = higher(known.memory[slot], memory);
  }

  /** The maximum of each step, the oldest first; null for steps without a sample. */
  get(id: string, now: number): UsageTrend {
    const { stepMs, steps } = this.resolution;
    const last = Math.floor(now / stepMs);
    const known = this.known.get(id);
    const series = (values: Float32Array | undefined): (number | null)[] =>
      Array.from({ length: steps }, (_, index) => {
        const step = last - steps + 1 + index;
        const isKept = known && step <= known.newest && step > known.newest - steps;
        return isKept ? orNull(values?.[step % steps]) : null;
      });
    return { cpu: series(known?.cpu), memory: series(known?.memory) };
  }

  /** Removes what no longer exists. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }

  /** Removes what has no sample in the time of a trend. */
  expire(now: number): void {
    const { stepMs, steps } = this.resolution;
    const oldest = Math.floor(now / stepMs) - steps;
    for (const [id, { newest }] of this.known) if (newest <= oldest) this.known.delete(id);
  }
}

function nothingKnown(newest: number, steps: number): Known {
  return {
    newest,
    cpu: new Float32Array(steps).fill(Number.NaN),
    memory: new Float32Array(steps).fill(Number.NaN),
  };
}

/** Clears the steps since the newest sample. A single one keeps the values before it: a sample can be late. */
function advance(known: Known, current: number, steps: number): void {
  const isOneMissed = current - known.newest === 2;
  const before = known.newest % steps;
  for (let next = Math.max(known.newest, current - steps) + 1; next <= current; next += 1) {
    const isFilled = isOneMissed && next < current;
    for (const series of [known.cpu, known.memory]) {
      series[next % steps] = isFilled ? (series[before] ?? Number.NaN) : Number.NaN;
    }
  }
  known.newest = Math.max(known.newest, current);
}

/** With two decimals, since a float has many more. */
function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : Math.round(value * 100) / 100;
}

function higher(one: number | undefined, other: number | null): number {
  return higherOf(orNull(one), other) ?? Number.NaN;
}

/** The higher of two figures, of which either can be unknown. */
export function higherOf(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}
