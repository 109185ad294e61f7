import { signal } from '@angular/core';
import type { LogLine, LogRow } from '../../shared/lines/log-line';
import type { RowSource } from '../../shared/lines/row-source';

/** Maximum lines in memory. The log board keeps all of them. */
export const MAX_ROWS = 20_000;
/** Lines dropped at once: dropping them singly would copy the array for each new line. */
const STEP = 2000;

export class PodLogRows implements RowSource {
  private lines: LogLine[] = [];
  private dropped = 0;
  private readonly changes = signal(0);
  readonly version = this.changes.asReadonly();

  get first(): number {
    return this.dropped;
  }

  get end(): number {
    return this.dropped + this.lines.length;
  }

  get arrived(): number {
    return this.end;
  }

  row(at: number): LogRow | undefined {
    return this.lines[at - this.dropped];
  }

  add(lines: readonly LogLine[]): void {
    if (lines.length === 0) return;
    this.lines.push(...lines);
    if (this.lines.length > MAX_ROWS + STEP) {
      const over = this.lines.length - MAX_ROWS;
      this.lines = this.lines.slice(over);
      this.dropped += over;
    }
    this.changes.update((count) => count + 1);
  }
}
