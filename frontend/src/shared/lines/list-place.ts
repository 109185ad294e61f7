import { computed, signal, type Signal } from '@angular/core';
import type { RowSource } from './row-source';
import { ScrollScale } from './scroll-scale';

/** Rows beside those that are seen, as far as there may be more. */
const SPARE = 3;
/** Wrapped rows above: their heights are known before they come down. */
const SPARE_ABOVE = 15;
/** Rows that all lists of a page together may have in it. */
export const MOST_ROWS = 200;

/** Where a row stands at the upper edge: its number, and how many pixels of it are above. */
export interface Place {
  at: number;
  offset: number;
}

/** Which rows of a source are in the page. */
export interface Range {
  from: number;
  to: number;
}

/**
 * Which rows a list shows: held to the end as lines come, or to a place that stays where it is whatever comes. Knows
 * heights and no elements.
 */
export class ListPlace {
  private readonly place = signal<Place>({ at: 0, offset: 0 });
  private readonly held = signal(true);
  /** Pixels that are seen. */
  readonly height = signal(0);
  readonly pinned = this.held.asReadonly();

  /** Rows as they are now; another one with each version of the source. */
  readonly bounds = computed(() => {
    const source = this.source();
    source.version();
    return { first: source.first, end: Math.max(source.first, source.end) };
  });
  readonly scale = computed(() => {
    const { first, end } = this.bounds();
    return new ScrollScale(end - first, this.rowHeight(), this.height());
  });
  /** Pixels that a list may have so that all that is seen of it may be in the page. */
  readonly tallest = computed(() => (this.most() - 1) * this.smallest());
  /** The row at the upper edge. While the end is held and rows are wrapped, that is an estimate. */
  readonly top = computed<Place>(() => {
    const { first } = this.bounds();
    const scale = this.scale();
    const { at, offset } = this.place();
    const index = Math.max(0, at - first);
    const wanted = this.held() ? scale.farthest : index * scale.rowHeight + (at < first ? 0 : offset);
    if (this.wrapped() && !this.held()) {
      return { at: first + Math.min(index, Math.max(0, scale.rows - 1)), offset: at < first ? 0 : offset };
    }
    const place = scale.placeAt(wanted);
    return { at: first + place.index, offset: place.offset };
  });
  readonly range = computed<Range>(
    () => {
      const { first, end } = this.bounds();
      const { at } = this.top();
      const seen = Math.ceil(this.height() / this.smallest()) + 1;
      const above = this.wrapped() ? SPARE_ABOVE : SPARE;
      const wanted = this.held() && this.wrapped() ? end - seen - SPARE : at - above;
      const most = this.most();
      // Where few are left, those above are of more use.
      const below = Math.max(0, Math.min(SPARE, most - seen - above));
      const to = this.held() ? end : Math.min(end, at + Math.min(most, seen + below));
      return { from: Math.max(first, wanted, to - most), to };
    },
    { equal: (one, other) => one.from === other.from && one.to === other.to },
  );

  constructor(
    private readonly source: Signal<RowSource>,
    /** Of a row as a rule, in pixels; of a wrapped one, on average. */
    private readonly rowHeight: Signal<number>,
    /** Of a row that is not wrapped. */
    private readonly smallest: Signal<number>,
    private readonly wrapped: Signal<boolean>,
    /** Rows that may be in the page. */
    private readonly most: Signal<number>,
  ) {}

  /** Stays at the end from now on. */
  pin(): void {
    this.held.set(true);
  }

  /** Stays where it is from now on. */
  unpin(): void {
    if (!this.held()) return;
    this.place.set(this.top());
    this.held.set(false);
  }

  stand(place: Place): void {
    this.held.set(false);
    this.place.set(place);
  }

  /** To a number of pixels from the first row, where rows are not wrapped. Reaching the end holds it. */
  standAt(pixels: number): void {
    const scale = this.scale();
    if (pixels >= scale.farthest - 1) {
      this.pin();
      return;
    }
    const { index, offset } = scale.placeAt(pixels);
    this.stand({ at: this.bounds().first + index, offset });
  }

  /** A row at the upper edge, in the middle, or just inside. */
  show(at: number, where: 'top' | 'middle' | 'inside'): void {
    const rowHeight = this.rowHeight();
    const height = this.height();
    const { first } = this.bounds();
    const pixels = (at - first) * rowHeight;
    const now = this.scale().pixels({ index: this.top().at - first, offset: this.top().offset });
    if (where === 'inside') {
      if (pixels < now) this.moveTo(at, 0);
      else if (pixels + rowHeight > now + height) this.moveTo(at, height - rowHeight);
      return;
    }
    this.moveTo(at, where === 'top' ? 0 : Math.max(0, Math.floor((height - rowHeight) / 2)));
  }

  /** Rows from a number on got other numbers. */
  shift(at: number, by: number): void {
    const place = this.place();
    if (place.at >= at) this.place.set({ ...place, at: place.at + by });
  }

  /** A row so many pixels under the upper edge. */
  private moveTo(at: number, below: number): void {
    const { first } = this.bounds();
    if (!this.wrapped()) {
      const pixels = Math.max(0, (at - first) * this.rowHeight() - below);
      const { index, offset } = this.scale().placeAt(pixels);
      this.stand({ at: first + index, offset });
      return;
    }
    this.stand({ at: Math.max(first, at - Math.floor(below / this.rowHeight())), offset: 0 });
  }
}
