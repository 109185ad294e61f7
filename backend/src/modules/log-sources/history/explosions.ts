import type { LinesAt } from './lines-at.js';
import type { SearchUnit } from './search-messages.js';
import { planWithout } from './search-plan.js';
import type { SearchExploded } from './search-pool.js';

/** What one search may spend on pieces that explode, in times of the patience for one task. */
const MOST_PATIENCES = 2.4;

/**
 * Pieces of a search on which its expression explodes. The lines with which one was stopped are tried once more, one
 * after the other, to lose no more than the one that is bad; what is beside them is searched without them.
 */
export class Explosions {
  private spent = 0;
  private lastEnd = -Infinity;
  private isLost = false;
  private readonly parts = new Set<SearchUnit>();

  constructor(private readonly patienceMs: number) {}

  get any(): boolean {
    return this.spent > 0;
  }

  /** No more of them are tried again. */
  get areTooMany(): boolean {
    return this.spent > MOST_PATIENCES;
  }

  /** Lines were not searched. */
  get haveHidden(): boolean {
    return this.isLost || this.areTooMany;
  }

  /** @returns what is to be searched in place of a task's pieces */
  again(units: readonly SearchUnit[], { at, tookMs }: SearchExploded): SearchUnit[] {
    // Of those that explode side by side, the time is spent once.
    const now = performance.now();
    this.spent += Math.min(tookMs, now - this.lastEnd) / this.patienceMs;
    this.lastEnd = now;
    return units.flatMap((unit, index) => (index === at.unit ? this.partsOf(unit, at) : [unit]));
  }

  /** Whether a piece is what is left of one that exploded. */
  isPart(unit: SearchUnit): boolean {
    return this.parts.has(unit);
  }

  private partsOf(unit: SearchUnit, { source, from, to }: LinesAt): SearchUnit[] {
    // A thread that was going on while it was read may tell of two places at once: of those nothing is tried again.
    const isWithin = unit.wanted.some(
      (lines) => lines.source === source && lines.from <= from && to <= lines.to,
    );
    if (!isWithin) {
      this.isLost = true;
      return [];
    }
    const lines = { source, from, to };
    const parts = planWithout(unit, lines);
    if (unit.byLine) this.isLost = true;
    else parts.push({ ...unit, wanted: [lines], byLine: true });
    this.parts.delete(unit);
    for (const part of parts) this.parts.add(part);
    return parts;
  }
}
