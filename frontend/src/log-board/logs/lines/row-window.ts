import { computed, signal } from '@angular/core';
import type { LogRow } from '../../../shared/lines/log-line';
import type { RowSource } from '../../../shared/lines/row-source';

/** A range of the rows of another source; they keep their numbers. */
export class RowWindow implements RowSource {
  private readonly moves = signal(0);
  readonly version = computed(() => this.rows.version() + this.moves());

  constructor(
    private readonly rows: Required<RowSource>,
    private from: number | null,
    private readonly to: number | null,
  ) {}

  /**
   * Starts where another window starts.
   * @returns whether both have the same rows and an open end
   */
  slideTo({ rows, from, to }: RowWindow): boolean {
    if (rows !== this.rows || from === null || to !== null || this.to !== null) return false;
    if (from !== this.from) {
      this.from = from;
      this.moves.update((count) => count + 1);
    }
    return true;
  }

  get first(): number {
    return Math.max(this.rows.first, Math.min(this.from ?? 0, this.end));
  }

  get end(): number {
    return Math.min(this.rows.end, this.to ?? Infinity);
  }

  get arrived(): number {
    return this.to === null ? this.rows.arrived : 0;
  }

  row(at: number): LogRow | undefined {
    return this.rows.row(at);
  }

  want(from: number, to: number): void {
    this.rows.want(from, to);
  }

  onShift(listener: (at: number, by: number) => void): () => void {
    return this.rows.onShift(listener);
  }
}
