/** Browsers stop making elements higher somewhere above; the spacer of more rows than fit is scaled. */
export const HIGHEST_SPACER = 8_000_000;
/** A move of the browser's scroll bar by more than this is a drag over a scaled list; by less, it is pixels. */
export const LARGEST_STEP = 2500;

/** Where a list stands: so many pixels of a row are above the upper edge. */
export interface ScrollPlace {
  /** Index of the row, from 0 on. */
  index: number;
  /** Pixels, less than the row's height. */
  offset: number;
}

/** How rows of one height map to the scroll bar of an element. */
export class ScrollScale {
  /** @param height of what is seen, in pixels */
  constructor(
    readonly rows: number,
    readonly rowHeight: number,
    readonly height: number,
  ) {}

  get spacer(): number {
    return Math.min(HIGHEST_SPACER, this.rows * this.rowHeight);
  }

  get isScaled(): boolean {
    return this.rows * this.rowHeight > HIGHEST_SPACER;
  }

  /** Farthest that the list can be scrolled, in pixels of its rows. */
  get farthest(): number {
    return Math.max(0, this.rows * this.rowHeight - this.height);
  }

  /** The same of the element. */
  get farthestTop(): number {
    return Math.max(0, this.spacer - this.height);
  }

  /** Pixels of rows above the upper edge. */
  pixels({ index, offset }: ScrollPlace): number {
    return Math.min(this.farthest, Math.max(0, index * this.rowHeight + offset));
  }

  placeAt(pixels: number): ScrollPlace {
    const within = Math.min(this.farthest, Math.max(0, pixels));
    const index = Math.min(Math.floor(within / this.rowHeight), Math.max(0, this.rows - 1));
    return { index, offset: within - index * this.rowHeight };
  }

  /** What the element's `scrollTop` is for a place. */
  topOf(place: ScrollPlace): number {
    const pixels = this.pixels(place);
    if (!this.isScaled || this.farthest === 0) return pixels;
    return (pixels / this.farthest) * this.farthestTop;
  }

  /** The place for a `scrollTop`, as a drag of the scroll bar chooses it. */
  placeOfTop(top: number): ScrollPlace {
    if (!this.isScaled || this.farthestTop === 0) return this.placeAt(top);
    return this.placeAt((top / this.farthestTop) * this.farthest);
  }

  /**
   * The place after the browser scrolled from one `scrollTop` to another. Where the bar is scaled, wheel and finger
   * still move the rows by what they moved.
   */
  placeAfter(place: ScrollPlace, from: number, to: number): ScrollPlace {
    const isStep = this.isScaled && Math.abs(to - from) <= LARGEST_STEP;
    return isStep ? this.placeAt(this.pixels(place) + to - from) : this.placeOfTop(to);
  }
}
