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
import { MAX_ROWS } from '../../../shared/lines/list-place';
import { ViewOptions } from '../../../shared/lines/view-options';

const HEADING_PX = 30;
/** Empty space in a column, in rows, before another grid row is added. */
const MISSING_ROWS = 2;

/**
 * Arranges log views side by side. If the limit of rendered rows does not fill them, they go into several grid rows.
 */
@Directive({
  selector: '[swColumnGrid]',
  host: { '[style.grid-template]': 'template()', '[class.broken]': 'gridRows() > 1' },
})
export class ColumnGrid {
  private readonly options = inject(ViewOptions);
  /** Number of columns; 0 for no grid. */
  readonly count = input.required<number>({ alias: 'swColumnGrid' });
  private readonly height = signal(0);
  protected readonly gridRows = computed(() =>
    gridRowsFor(this.count(), this.height(), rowPixels(this.options.size())),
  );
  protected readonly template = computed(() => {
    const count = this.count();
    if (count === 0) return null;
    const gridRows = this.gridRows();
    const beside = Math.ceil(count / gridRows);
    return `repeat(${gridRows}, minmax(0, 1fr)) / repeat(${beside}, minmax(var(--narrowest), 1fr))`;
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
 * The number of grid rows that the limit of rendered rows can fill.
 * @param height of the grid in pixels
 * @param row height of a log line in pixels
 */
export function gridRowsFor(columns: number, height: number, row: number): number {
  const maxHeight = (Math.floor(MAX_ROWS / columns) - 1 + MISSING_ROWS) * row;
  for (let gridRows = 1; gridRows < columns; gridRows += 1) {
    // Skip numbers that leave a grid row empty, such as three grid rows for four columns.
    const isEven = Math.ceil(columns / Math.ceil(columns / gridRows)) === gridRows;
    if (isEven && height / gridRows - HEADING_PX <= maxHeight) return gridRows;
  }
  return Math.max(1, columns);
}
