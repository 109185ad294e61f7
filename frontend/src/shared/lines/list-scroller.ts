import { type ElementRef, type Signal, untracked, type WritableSignal } from '@angular/core';
import type { ListPlace, Place } from './list-place';
import { LARGEST_STEP } from './scroll-scale';

/** Pause after which the scroll bar is corrected. */
const REST_MS = 150;
/** Sums of rounded heights differ so much: a list that was stopped at its end must not follow again. */
const ROUNDING_PX = 8;

/** Rows between two layout shifts, and the limit of the padding in pixels: browsers limit heights. */
const STABLE_ROWS = 4096;
const MAX_PADDING_PX = 100_000;

/** Keeps the place of a list, its scroll bar and its rendered rows together. */
export class ListScroller {
  /** The last `scrollTop` set here, to recognize scrolling by the browser. */
  private expectedTop = 0;
  /** The cursor moved to a wrapped row, which may end below the edge. */
  private revealing = false;
  /**
   * Padding of the rendered rows in pixels, in place of the rows that left at the top: the others keep their layout
   * position while new lines arrive, and only the transform moves them. Otherwise each new line is a layout shift.
   */
  private padding = 0;
  /** A wrapped row and its layout position after the last rendering. */
  private lastRow: { row: HTMLElement; top: number } | undefined;
  /** A row and its place on the screen. It stays there when the list is moved or gets another layout. */
  private anchored: { at: string; y: number; box: string } | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly place: ListPlace,
    private readonly viewport: Signal<ElementRef<HTMLElement>>,
    private readonly block: Signal<ElementRef<HTMLElement>>,
    private readonly wrapped: Signal<boolean>,
    /** Average height of the wrapped rows. */
    private readonly averageHeight: WritableSignal<number>,
    private readonly unfollow: () => void,
  ) {}

  /** Scrolled by wheel, touch, scroll bar or keyboard. */
  scrolled(): void {
    const { scrollTop: to, scrollHeight, clientHeight } = this.viewport().nativeElement;
    const from = this.expectedTop;
    if (Math.abs(to - from) < 1) return;
    this.expectedTop = to;
    const scale = this.place.scale();
    if (this.place.pinned()) {
      // Deleted rows or a resized page move the scroll bar, too: only scrolling up stops following.
      // A page that has just been resized may be at the end before its new height is known.
      const isAtEnd = scrollHeight > clientHeight && to >= scrollHeight - clientHeight - 1;
      if (isAtEnd || to >= scale.farthestTop - 1 || to > from) return;
      this.unfollow();
    }
    this.stop();
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.settle();
    }, REST_MS);
    const { first, end } = this.place.bounds();
    const { at, offset } = this.place.top();
    if (this.wrapped() && Math.abs(to - from) <= LARGEST_STEP) {
      this.scrollWrapped(to - from);
      return;
    }
    const place = scale.placeAfter({ index: at - first, offset }, from, to);
    if (scale.pixels(place) >= scale.farthest - 1 && to > from) this.place.pin();
    else {
      this.place.set({ at: Math.min(end, first + place.index), offset: this.wrapped() ? 0 : place.offset });
    }
  }

  stop(): void {
    clearTimeout(this.resting);
  }

  /** Keeps the rendered rows in place while lines arrive. */
  unpin(): void {
    if (this.wrapped()) this.place.set(this.measuredTop());
    else this.place.unpin();
  }

  /** The height of a wrapped row with the cursor is known only after rendering. */
  reveal(): void {
    this.revealing = this.wrapped();
  }

  /** After rendering. */
  settle(): void {
    this.align();
    const before = this.anchored;
    if (this.place.pinned()) this.anchored = undefined;
    else if (before?.box === this.box()) this.anchor();
    else if (!before || !this.keep(before)) this.anchor();
  }

  /** Call it before a reaction to a chosen row may move the list. */
  anchor(at = this.heldRow()): void {
    const row = this.block().nativeElement.querySelector(`[data-at="${at}"]`);
    this.anchored = row ? { at, y: row.getBoundingClientRect().top, box: this.box() } : undefined;
  }

  /** @returns whether the row has to move back */
  private keep({ at, y }: { at: string; y: number }): boolean {
    const row = this.block().nativeElement.querySelector(`[data-at="${at}"]`);
    const moved = row ? row.getBoundingClientRect().top - y : 0;
    this.anchored = undefined;
    if (Math.abs(moved) < 1) return false;
    if (this.wrapped()) this.scrollWrapped(moved);
    else {
      const scale = this.place.scale();
      const { first } = this.place.bounds();
      const top = this.place.top();
      const { index, offset } = scale.placeAt(
        scale.pixels({ index: top.at - first, offset: top.offset }) + moved,
      );
      this.place.set({ at: first + index, offset });
    }
    return true;
  }

  /** The row of the cursor, or else the first visible one. */
  private heldRow(): string {
    const cursor = this.block().nativeElement.querySelector<HTMLElement>('.cursor');
    return cursor?.dataset['at'] ?? String(this.place.top().at);
  }

  private box(): string {
    const { top, width } = this.viewport().nativeElement.getBoundingClientRect();
    return `${top} ${width} ${this.wrapped()}`;
  }

  private align(): void {
    const block = this.block().nativeElement;
    const viewport = this.viewport().nativeElement;
    const { from } = this.place.range();
    const top = this.place.top();
    const isPinned = this.place.pinned();
    const isWrapped = this.wrapped();
    const { rowHeight } = this.place.scale();
    this.pad(block, isWrapped ? this.wrappedPadding() : rowsOfPadding(from) * rowHeight);
    const y = isWrapped ? this.settleWrapped(block) : -((top.at - from) * rowHeight + top.offset);
    block.style.transform = `translateY(${y - this.padding}px)`;
    const scale = this.place.scale();
    const { first } = this.place.bounds();
    const wanted = isPinned ? scale.farthestTop : scale.topOf({ index: top.at - first, offset: top.offset });
    const isAtEdge = viewport.scrollTop <= 0 || viewport.scrollTop >= scale.farthestTop - 1;
    if (this.resting !== undefined && (scale.isScaled || isWrapped) && !isAtEdge) return;
    // With fewer rows, the browser has already moved the scroll bar.
    if (this.expectedTop > scale.farthestTop + 1) this.expectedTop = viewport.scrollTop;
    if (Math.abs(viewport.scrollTop - wanted) < 1) return;
    // Keep scrolling by the browser whose event has not fired yet.
    if (Math.abs(viewport.scrollTop - this.expectedTop) >= 1) return;
    viewport.scrollTop = wanted;
    this.expectedTop = viewport.scrollTop;
  }

  private pad(block: HTMLElement, padding: number): void {
    this.padding = padding;
    block.style.paddingTop = `${padding}px`;
    const row = block.lastElementChild as HTMLElement | null;
    this.lastRow = row && this.wrapped() ? { row, top: row.offsetTop } : undefined;
  }

  private wrappedPadding(): number {
    if (!this.lastRow?.row.isConnected) return 0;
    const padding = this.padding + this.lastRow.top - this.lastRow.row.offsetTop;
    return padding >= 0 && padding < MAX_PADDING_PX ? padding : 0;
  }

  /** The position of the rendered rows, in pixels below the upper edge. */
  private settleWrapped(block: HTMLElement): number {
    const { from, to } = this.place.range();
    const top = this.place.top();
    const height = this.place.height();
    const whole = block.offsetHeight - this.padding;
    const average = to === from ? 0 : whole / (to - from);
    const known = this.averageHeight();
    const atEnd = Math.min(0, height - whole);
    const isPinned = this.place.pinned();
    if (average > 0 && Math.abs(average - known) > known / 4) this.averageHeight.set(average);
    if (isPinned) return atEnd;
    const heights = this.heights();
    let y = -top.offset;
    for (let at = from; at < top.at; at += 1) y -= heights.get(at) ?? 0;
    if (this.revealing) {
      this.revealing = false;
      const row = block.querySelector<HTMLElement>('.cursor');
      const over = row ? row.offsetTop - this.padding + row.offsetHeight + y - height : 0;
      if (over > 0) {
        this.scrollWrapped(over);
        y -= over;
      }
    }
    const { first, end } = this.place.bounds();
    // Fewer rows than the view has room for can be paused, too.
    const isShort = from === first && y >= 0;
    if (to < end || isShort || y + whole >= height - ROUNDING_PX || whole === 0) return y;
    // No empty space after the last row.
    this.place.pin();
    return atEnd;
  }

  /** Scrolls by pixels over rows whose heights only the browser knows. */
  private scrollWrapped(pixels: number): void {
    const heights = this.heights();
    const heightOf = (at: number): number => heights.get(at) ?? this.place.scale().rowHeight;
    const { first, end } = this.place.bounds();
    let { at, offset } = this.place.top();
    offset += pixels;
    while (offset < 0 && at > first) {
      at -= 1;
      offset += heightOf(at);
    }
    while (at < end - 1 && offset >= heightOf(at)) {
      offset -= heightOf(at);
      at += 1;
    }
    this.place.set({ at, offset: Math.max(0, offset) });
  }

  private heights(): Map<number, number> {
    const { from } = this.place.range();
    const { children } = this.block().nativeElement;
    return new Map([...children].map((row, index) => [from + index, (row as HTMLElement).offsetHeight]));
  }

  /** The rendered position of the upper edge. */
  private measuredTop(): Place {
    const edge = this.viewport().nativeElement.getBoundingClientRect().top;
    const rows = [...this.block().nativeElement.children];
    const index = Math.max(
      0,
      rows.findIndex((row) => row.getBoundingClientRect().bottom > edge),
    );
    const above = edge - (rows[index]?.getBoundingClientRect().top ?? edge);
    return { at: untracked(this.place.range).from + index, offset: Math.max(0, above) };
  }
}

/** Rows of padding above row `from`, never negative: older matches have negative numbers. */
function rowsOfPadding(from: number): number {
  return ((from % STABLE_ROWS) + STABLE_ROWS) % STABLE_ROWS;
}
