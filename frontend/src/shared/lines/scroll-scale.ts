/** Browsers limit the height of elements: the scroll range of a longer list is scaled. */
export const HIGHEST_SPACER = 8_000_000;
/** A larger scroll in a scaled list is a drag of the scroll bar; a smaller one moves the rows by its pixels. */
export const LARGEST_STEP = 2500;

export interface ScrollPlace {
  /** From 0. */
  index: number;
  /** Pixels of the row above the edge. */
  offset: number;
}

/** Maps rows of equal height to the scroll range of an element. */
export class ScrollScale {
  /** @param height of the viewport, in pixels */
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

  /** Maximum scroll position in pixels of the rows. */
  get farthest(): number {
    return Math.max(0, this.rows * this.rowHeight - this.height);
  }

  get farthestTop(): number {
    return Math.max(0, this.spacer - this.height);
  }

  pixels({ index, offset }: ScrollPlace): number {
    return Math.min(this.farthest, Math.max(0, index * this.rowHeight + offset));
  }

  placeAt(pixels: number): ScrollPlace {
    const within = Math.min(this.farthest, Math.max(0, pixels));
    const index = Math.min(Math.floor(within / this.rowHeight), Math.max(0, this.rows - 1));
    return { index, offset: within - index * this.rowHeight };
  }

  topOf(place: ScrollPlace): number {
    const pixels = this.pixels(place);
    if (!this.isScaled || this.farthest === 0) return pixels;
    return (pixels / this.farthest) * this.farthestTop;
  }

  placeOfTop(top: number): ScrollPlace {
    if (!this.isScaled || this.farthestTop === 0) return this.placeAt(top);
    return this.placeAt((top / this.farthestTop) * this.farthest);
  }

  /** The position after the browser has scrolled. In a scaled list, wheel and touch still scroll by pixels. */
  placeAfter(place: ScrollPlace, from: number, to: number): ScrollPlace {
    const isStep = this.isScaled && Math.abs(to - from) <= LARGEST_STEP;
    return isStep ? this.placeAt(this.pixels(place) + to - from) : this.placeOfTop(to);
  }
}
