import { signal } from '@angular/core';
import type { LogLine, LogRow } from '../../shared/lines/log-line';
import type { RowSource } from '../../shared/lines/row-source';

/** Most lines that the page holds; the log board has all of them. */
export const MOST_ROWS = 20_000;
/** So many go at once: one by one, each line that comes would cost as much as all of them. */
const STEP = 2000;

/** The lines of one log as they come, the newest at the end. */
export class PodLogRows implements RowSource {
  private lines: LogLine[] = [];
  private gone = 0;
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  get first(): number {
    return this.gone;
  }

  get end(): number {
    return this.gone + this.lines.length;
  }

  get arrived(): number {
    return this.end;
  }

  row(at: number): LogRow | undefined {
    return this.lines[at - this.gone];
  }

  want(): void {
    // All of it is here.
  }

  onShift(): () => void {
    return () => undefined;
  }

  add(lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    this.lines.push(...lines);
    if (this.lines.length > MOST_ROWS + STEP) {
      const over = this.lines.length - MOST_ROWS;
      this.lines = this.lines.slice(over);
      this.gone += over;
    }
    this.changes.update((count) => count + 1);
  }
}
