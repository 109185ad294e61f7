import type { NodeStatsDto } from './stats.dto.js';

/** Length of one interval of a trend. */
const INTERVAL_MS = 15_000;
/** Fifteen minutes. */
const INTERVALS = 60;

type Figures = Pick<NodeStatsDto, 'cpu_percent' | 'memory_bytes'>;

export interface UsageTrend {
  cpu_trend: (number | null)[];
  memory_trend: (number | null)[];
}

/**
 * Usage of the last 15 minutes, by the id of the container. Only in memory, and only of the time in which the sampler
 * ran. The size is bounded by the nodes: 60 intervals each.
 */
export class UsageTrends {
  private readonly known = new Map<string, Map<number, Figures>>();

  /** @param at milliseconds since the epoch */
  add(id: string, at: number, { cpu_percent, memory_bytes }: Figures): void {
    const intervals = this.known.get(id) ?? new Map<number, Figures>();
    this.known.set(id, intervals);
    const current = Math.floor(at / INTERVAL_MS);
    const before = intervals.get(current);
    intervals.set(current, {
      cpu_percent: higher(cpu_percent, before?.cpu_percent ?? null),
      memory_bytes: higher(memory_bytes, before?.memory_bytes ?? null),
    });
    for (const interval of intervals.keys()) {
      if (interval <= current - INTERVALS) intervals.delete(interval);
    }
  }

  /** The maximum of each interval, the oldest first; null for intervals without a sample. */
  get(id: string, now: number): UsageTrend {
    const last = Math.floor(now / INTERVAL_MS);
    const intervals = this.known.get(id);
    const figures = Array.from({ length: INTERVALS }, (_, index) =>
      intervals?.get(last - INTERVALS + 1 + index),
    );
    return {
      cpu_trend: figures.map((each) => each?.cpu_percent ?? null),
      memory_trend: figures.map((each) => each?.memory_bytes ?? null),
    };
  }

  /** Removes deleted containers. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.known.keys()) if (!ids.has(id)) this.known.delete(id);
  }
}

/** The higher of two figures, of which either can be unknown. */
export function higher(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}
