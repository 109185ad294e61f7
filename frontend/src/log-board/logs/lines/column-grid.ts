import {
  afterNextRender,
  computed,
  DestroyRef,
  Directive,
  ElementRef,
  inject,
  input,
  signal,
} from '@angular/core';
import { rowPixels } from '../../../shared/lines/line-style';
import { MOST_ROWS } from '../../../shared/lines/list-place';
import { ViewOptions } from '../../../shared/lines/view-options';

/** The name of a source above its lines, in pixels. */
const HEADING = 30;
/** Rows that a column may be short of: rather that than another line. */
const SHORT = 2;

/** Columns beside each other; where all rows that a page may have do not fill them, in more lines that are lower. */
@Directive({
  selector: '[swColumnGrid]',
  host: { '[style.grid-template]': 'template()', '[class.broken]': 'lines() > 1' },
})
export class ColumnGrid {
  private readonly options = inject(ViewOptions);
  /** Columns; none is no grid. */
  readonly count = input.required<number>({ alias: 'swColumnGrid' });
  private readonly height = signal(0);
  protected readonly lines = computed(() =>
    columnLines(this.count(), this.height(), rowPixels(this.options.size())),
  );
  protected readonly template = computed(() => {
    const count = this.count();
    if (count === 0) return null;
    const lines = this.lines();
    const beside = Math.ceil(count / lines);
    return `repeat(${lines}, minmax(0, 1fr)) / repeat(${beside}, minmax(var(--narrowest), 1fr))`;
  });

  constructor() {
    const { nativeElement } = inject<ElementRef<HTMLElement>>(ElementRef);
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const observer = new ResizeObserver(() => this.height.set(nativeElement.clientHeight));
      observer.observe(nativeElement);
      destroyed.onDestroy(() => observer.disconnect());
      this.height.set(nativeElement.clientHeight);
    });
  }
}

/**
 * The fewest lines of columns in which the rows that a page may have fill them.
 * @param height of all lines, in pixels
 * @param row the height of one row
 */
export function columnLines(columns: number, height: number, row: number): number {
  const tallest = (Math.floor(MOST_ROWS / columns) - 1 + SHORT) * row;
  for (let lines = 1; lines < columns; lines += 1) {
    // As many lines of fewer columns: those of four are never three.
    const isEven = Math.ceil(columns / Math.ceil(columns / lines)) === lines;
    if (isEven && height / lines - HEADING <= tallest) return lines;
  }
  return Math.max(1, columns);
}
