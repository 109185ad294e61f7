import { computed, signal, type Signal } from '@angular/core';
import { topToShow } from '../grid/row-steps';
import type { LogRow } from './log-line';
import type { RowSource } from './row-source';
import { RowMark } from './row-mark';
import { ScrollScale } from './scroll-scale';

/** Rows rendered above and below the visible ones. */
const SPARE = 3;
/** Wrapped rows rendered above: their heights must be known before they scroll into view. */
const SPARE_ABOVE = 15;
/** Limit of rendered rows, for all lists of a page together. */
export const MAX_ROWS = 200;

/** The row at the upper edge, and how many of its pixels are above the edge. */
export interface Place {
  at: number;
  offset: number;
}

/**
 * The scroll position of a list: pinned to the end while lines arrive, or fixed to a row. Knows only heights, no
 * elements.
 */
export class ListPlace {
  private readonly edge: RowMark;
  private readonly offset = signal(0);
  private readonly held = signal(true);
  /** Height of the viewport in pixels. */
  readonly height = signal(0);
  readonly pinned = this.held.asReadonly();

  /** Changes with each version of the source. */
  readonly bounds = computed(() => {
    const source = this.source();
    source.version();
    return { first: source.first, end: Math.max(source.first, source.end) };
  });
  readonly scale = computed(() => {
    const { first, end } = this.bounds();
    return new ScrollScale(end - first, this.rowHeight(), this.height());
  });
  /** Maximum height of a list in pixels that keeps its visible rows within the limit. */
  readonly tallest = computed(() => (this.most() - 1) * this.smallest());
  /** The position of the upper edge; an estimate while wrapped rows are pinned to the end. */
  readonly top = computed<Place>(() => {
    const { first } = this.bounds();
    const scale = this.scale();
    const at = this.edge.at() ?? first;
    const offset = this.offset();
    const index = Math.max(0, at - first);
    const wanted = this.held() ? scale.farthest : index * scale.rowHeight + (at < first ? 0 : offset);
    if (this.wrapped() && !this.held()) {
      return { at: first + Math.min(index, Math.max(0, scale.rows - 1)), offset: at < first ? 0 : offset };
    }
    const place = scale.placeAt(wanted);
    return { at: first + place.index, offset: place.offset };
  });
  /** The rendered rows; `to` is exclusive. */
  readonly range = computed(
    () => {
      const { first, end } = this.bounds();
      const { at } = this.top();
      const seen = Math.ceil(this.height() / this.smallest()) + 1;
      const above = this.wrapped() ? SPARE_ABOVE : SPARE;
      const wanted = this.held() && this.wrapped() ? end - seen - SPARE : at - above;
      const most = this.most();
      // With a small limit, rows above are more useful.
      const below = Math.max(0, Math.min(SPARE, most - seen - above));
      const to = this.held() ? end : Math.min(end, at + Math.min(most, seen + below));
      return { from: Math.max(first, wanted, to - most), to };
    },
    { equal: (one, other) => one.from === other.from && one.to === other.to },
  );

  constructor(
    private readonly source: Signal<RowSource>,
    /** In pixels; the average if rows are wrapped. */
    private readonly rowHeight: Signal<number>,
    /** Height of a row without wrapping. */
    private readonly smallest: Signal<number>,
    private readonly wrapped: Signal<boolean>,
    private readonly most: Signal<number>,
  ) {
    this.edge = new RowMark(source);
  }

  /** The line at the upper edge; undefined while it is pinned or not loaded. */
  get line(): LogRow | undefined {
    return this.edge.row();
  }

  pin(): void {
    this.held.set(true);
    this.edge.set(null);
  }

  unpin(): void {
    if (!this.held()) return;
    this.set(this.top());
  }

  set({ at, offset }: Place): void {
    this.held.set(false);
    this.edge.set(at);
    this.offset.set(offset);
  }

  /** Centers a row, or scrolls just far enough to show it. */
  show(at: number, where: 'middle' | 'inside'): void {
    const rowHeight = this.rowHeight();
    const height = this.height();
    const { first } = this.bounds();
    const pixels = (at - first) * rowHeight;
    const now = this.scale().pixels({ index: this.top().at - first, offset: this.top().offset });
    if (where === 'inside') {
      const top = topToShow({ top: pixels, height: rowHeight }, now, height);
      if (top !== now) this.moveTo(at, pixels - top);
      return;
    }
    this.moveTo(at, Math.max(0, Math.floor((height - rowHeight) / 2)));
  }

  /** @param below distance of the row from the upper edge, in pixels */
  private moveTo(at: number, below: number): void {
    const { first } = this.bounds();
    if (!this.wrapped()) {
      const pixels = Math.max(0, (at - first) * this.rowHeight() - below);
      const { index, offset } = this.scale().placeAt(pixels);
      this.set({ at: first + index, offset });
      return;
    }
    this.set({ at: Math.max(first, at - Math.floor(below / this.rowHeight())), offset: 0 });
  }
}
