import {
  afterNextRender,
  afterRenderEffect,
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { plural } from '../format/format';
import { Clock } from '../live/clock';
import { copyText } from '../ui/copy-text';
import { Icon } from '../ui/icon';
import { Toaster } from '../ui/toaster';
import { copyGaps, copyTitle, readRows } from './copy-rows';
import { drawRow, type DrawnRow, SegmentCache } from './drawn-row';
import type { LineMarks } from './hits';
import type { LogGap, LogLine } from './log-line';
import { ListPlace, MAX_ROWS, type Place } from './list-place';
import { type LineSize, rowPixels, type SourceStyle } from './line-style';
import type { TimeMode } from './line-time';
import type { RowSource } from './row-source';
import { LARGEST_STEP } from './scroll-scale';

/** Below this width, the text of a row is shown below its time and source. */
const STACKED_PX = 620;
/** Pause after which the scroll bar is corrected. */
const REST_MS = 150;

let lists = 0;

/** The scroll position and selection of a list, by row numbers. */
export interface ListPosition extends Place {
  cursor: number | null;
  selectedFrom: number | null;
}

/**
 * A virtual list of log lines. Follows the end until the user scrolls up; then it stays in place and counts new
 * lines.
 */
@Component({
  selector: 'sw-line-list',
  imports: [Icon],
  templateUrl: './line-list.html',
  styleUrl: './line-list.scss',
  host: {
    '[class]': 'size()',
    '[class.stacked]': 'stacked()',
    '[class.wrapped]': 'flowing()',
    '[class.plain]': '!levels()',
    '[style.--columns]': 'columns()',
    '[style.max-height.px]': 'tallest()',
  },
})
export class LineList {
  private readonly clock = inject(Clock);
  private readonly toaster = inject(Toaster);
  readonly rows = input.required<RowSource>();
  readonly label = input($localize`Lines`);
  readonly sourceStyle = input.required<(source: number) => SourceStyle>();
  readonly marks = input<LineMarks | null>(null);
  readonly wrap = input(false);
  readonly time = input<TimeMode>('local');
  readonly size = input<LineSize>('medium');
  /** Lines of several sources: each line shows its source. */
  readonly mixed = input(true);
  readonly levels = input(true);
  /** New lines may arrive: while not following, the list counts them. */
  readonly growing = input(true);
  /** Limit of rendered rows; it also limits the height. */
  readonly most = input(MAX_ROWS);
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  readonly loadGap = output<LogGap>();

  private readonly viewport = viewChild.required<ElementRef<HTMLElement>>('viewport');
  private readonly block = viewChild.required<ElementRef<HTMLElement>>('block');
  private readonly cache = new SegmentCache();
  private readonly width = signal(1000);
  private readonly averageHeight = signal(0);
  /** The last `scrollTop` set here, to recognize scrolling by the browser. */
  private expectedTop = 0;
  /** The cursor moved to a wrapped row, which may end below the edge. */
  private revealing = false;
  private resting: ReturnType<typeof setTimeout> | undefined;

  protected readonly columns = computed(() =>
    ['12.4ch', this.levels() ? '3.2ch' : '', this.mixed() ? '20ch' : '', 'minmax(0, 1fr)'].join(' '),
  );
  protected readonly id = `lines-${(lists += 1)}`;
  protected readonly stacked = computed(() => this.width() < STACKED_PX);
  protected readonly flowing = computed(() => this.wrap() || this.stacked());
  private readonly rowPixels = computed(() => rowPixels(this.size()));
  private readonly rowHeight = computed(() =>
    this.flowing() && this.averageHeight() > 0 ? this.averageHeight() : this.rowPixels(),
  );
  private readonly place = new ListPlace(this.rows, this.rowHeight, this.rowPixels, this.flowing, this.most);
  readonly following = this.place.pinned;
  protected readonly height = this.place.height;
  protected readonly tallest = this.place.tallest;
  protected readonly spacer = computed(() => this.place.scale().spacer);
  protected readonly isWhole = computed(() => this.place.scale().farthest === 0);
  protected readonly count = computed(() => {
    const { first, end } = this.place.bounds();
    return end - first;
  });
  /** The focused row, and the other end of the selection. */
  protected readonly cursor = signal<number | null>(null);
  private readonly selectedFrom = signal<number | null>(null);
  protected readonly shown = computed<DrawnRow[]>(() => {
    const rows = this.rows();
    const { from, to } = this.place.range();
    const { first } = this.place.bounds();
    rows.version();
    const mode = this.time();
    const options = {
      styleOf: this.sourceStyle(),
      marks: this.marks(),
      mode,
      now: mode === 'relative' ? this.clock.now() : 0,
      first,
      cursor: this.cursor(),
      other: this.selectedFrom(),
    };
    const drawn: DrawnRow[] = [];
    for (let at = from; at < to; at += 1) drawn.push(drawRow(at, rows.row(at), options, this.cache));
    return drawn;
  });
  private readonly seen = linkedSignal<RowSource, number>({
    source: this.rows,
    computation: (rows) => untracked(() => rows.arrived),
  });
  readonly unseen = computed(() => {
    this.rows().version();
    return this.following() ? 0 : Math.max(0, this.rows().arrived - this.seen());
  });
  protected readonly unseenLabel = computed(() => {
    const count = this.unseen();
    if (count === 0) return this.growing() ? $localize`Newest line` : $localize`End`;
    return plural(count, 'new line');
  });

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const observer = new ResizeObserver(() => this.measure());
      observer.observe(this.viewport().nativeElement);
      destroyed.onDestroy(() => observer.disconnect());
      this.measure();
    });
    destroyed.onDestroy(() => clearTimeout(this.resting));
    effect((onCleanup) => {
      const rows = this.rows();
      untracked(() => this.follow());
      onCleanup(rows.onShift?.((at, by) => this.shift(at, by)) ?? (() => undefined));
    });
    effect(() => {
      const { from, to } = this.place.range();
      this.rows().version();
      this.rows().want?.(from, to);
    });
    afterRenderEffect(() => {
      this.shown();
      this.place.top();
      this.height();
      this.settle();
    });
  }

  follow(): void {
    this.selectedFrom.set(null);
    this.cursor.set(null);
    this.place.pin();
  }

  unfollow(): void {
    if (!this.following()) return;
    if (this.flowing()) this.place.set(this.measuredTop());
    else this.place.unpin();
    this.seen.set(this.rows().arrived);
  }

  goTo(at: number): void {
    this.unfollow();
    this.place.show(at, 'middle');
    this.move(at, false, false);
  }

  /** The row of the cursor, or else the first visible row. */
  currentRow(): number {
    return this.cursor() ?? this.place.top().at;
  }

  position(): ListPosition {
    return { ...this.place.top(), cursor: this.cursor(), selectedFrom: this.selectedFrom() };
  }

  /** @param unseen the lines received before */
  restorePosition({ at, offset, cursor, selectedFrom }: ListPosition, unseen = 0): void {
    this.unfollow();
    this.seen.set(this.rows().arrived - unseen);
    this.place.set({ at, offset });
    this.cursor.set(cursor);
    this.selectedFrom.set(selectedFrom);
  }

  focus(): void {
    this.viewport().nativeElement.focus();
  }

  async copy(): Promise<void> {
    const at = this.cursor();
    if (at === null) return;
    const from = Math.min(at, this.selectedFrom() ?? at);
    const to = Math.max(at, this.selectedFrom() ?? at);
    const styleOf = this.sourceStyle();
    const nameOf = (source: number): string => styleOf(source).title.replaceAll(' / ', '/');
    const copied = readRows(this.rows(), from, to, this.mixed() ? nameOf : null);
    try {
      if (copied.lines > 0) await copyText(copied.text);
    } catch (error) {
      this.toaster.problem(error, $localize`Could not copy`);
      return;
    }
    const gaps = copyGaps(copied);
    if (gaps === '') this.toaster.done(copyTitle(copied));
    else this.toaster.failed(copyTitle(copied), gaps);
  }

  protected click(event: MouseEvent): void {
    const target = event.target as Element;
    const at = Number(target.closest<HTMLElement>('[data-at]')?.dataset['at'] ?? NaN);
    if (Number.isNaN(at) || target.closest('button')) return;
    // The user selected text with the mouse.
    if (document.getSelection()?.isCollapsed === false && !event.shiftKey) return;
    this.unfollow();
    this.move(at, event.shiftKey, false);
    const line = this.lineAt(at);
    if (line && !event.shiftKey) this.opened.emit(line);
  }

  protected press(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    // Uppercase with Caps Lock.
    if ((ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'c') {
      if (document.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      void this.copy();
      return;
    }
    if (ctrlKey || metaKey || altKey) return;
    const at = this.cursor();
    const row = at === null ? undefined : this.rows().row(at);
    if (key === 'Enter' && row?.kind === 'line') this.opened.emit(row);
    else if (key === 'Enter' && row?.kind === 'gap') this.loadGap.emit(row);
    else if (key === 'End' && !shiftKey) this.follow();
    else if (!this.step(key, shiftKey)) return;
    event.preventDefault();
  }

  private step(key: string, extend: boolean): boolean {
    const { first, end } = this.place.bounds();
    const page = Math.max(1, Math.floor(this.height() / this.rowHeight()) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
    };
    const by = steps[key];
    if (by === undefined || end <= first) return false;
    const wasFollowing = this.following();
    const edge = wasFollowing ? end : this.place.top().at - (by > 0 ? 1 : 0);
    const from = this.cursor() ?? edge;
    this.unfollow();
    const at = Math.min(end - 1, Math.max(first, from + by));
    this.place.show(at, 'inside');
    this.move(at, extend, true);
    return true;
  }

  private move(at: number, extend: boolean, reveal: boolean): void {
    this.selectedFrom.set(extend ? (this.selectedFrom() ?? this.cursor() ?? at) : null);
    this.cursor.set(at);
    this.current.emit(this.lineAt(at));
    // The height of a wrapped row is known only after rendering.
    if (reveal && this.flowing()) this.revealing = true;
  }

  private lineAt(at: number | null): LogLine | null {
    const row = at === null ? undefined : this.rows().row(at);
    return row?.kind === 'line' ? row : null;
  }

  private shift(at: number, by: number): void {
    this.place.shift(at, by);
    for (const end of [this.cursor, this.selectedFrom]) {
      end.update((row) => (row !== null && row >= at ? row + by : row));
    }
  }

  private measure(): void {
    const { clientHeight, clientWidth } = this.viewport().nativeElement;
    this.height.set(clientHeight);
    this.width.set(clientWidth);
  }

  /** Scrolled by wheel, touch, scroll bar or keyboard. */
  protected scrolled(): void {
    const { scrollTop: to } = this.viewport().nativeElement;
    const from = this.expectedTop;
    if (Math.abs(to - from) < 1) return;
    this.expectedTop = to;
    const scale = this.place.scale();
    if (this.following()) {
      // Deleted rows or a resized page move the scroll bar, too: only scrolling up stops following.
      if (to >= scale.farthestTop - 1 || to > from) return;
      this.unfollow();
    }
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.resting = undefined;
      this.settle();
    }, REST_MS);
    const { first, end } = this.place.bounds();
    const { at, offset } = this.place.top();
    if (this.flowing() && Math.abs(to - from) <= LARGEST_STEP) {
      this.scrollWrapped(to - from);
      return;
    }
    const place = scale.placeAfter({ index: at - first, offset }, from, to);
    if (scale.pixels(place) >= scale.farthest - 1 && to > from) this.place.pin();
    else {
      this.place.set({ at: Math.min(end, first + place.index), offset: this.flowing() ? 0 : place.offset });
    }
  }

  /** Scrolls by pixels over rows whose heights only the browser knows. */
  private scrollWrapped(pixels: number): void {
    const heights = this.heights();
    const heightOf = (at: number): number => heights.get(at) ?? this.rowHeight();
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

  private settle(): void {
    const block = this.block().nativeElement;
    const viewport = this.viewport().nativeElement;
    const { from } = untracked(this.place.range);
    const top = untracked(this.place.top);
    const isPinned = untracked(this.following);
    const height = untracked(this.height);
    let y = -((top.at - from) * untracked(this.rowHeight) + top.offset);
    if (untracked(this.flowing)) y = this.settleFlowing(block, top, isPinned, height);
    block.style.transform = `translateY(${y}px)`;
    const scale = untracked(this.place.scale);
    const { first } = untracked(this.place.bounds);
    const wanted = isPinned ? scale.farthestTop : scale.topOf({ index: top.at - first, offset: top.offset });
    const isExact = !scale.isScaled && !untracked(this.flowing);
    const isAtEdge = viewport.scrollTop <= 0 || viewport.scrollTop >= scale.farthestTop - 1;
    if (this.resting !== undefined && !isExact && !isAtEdge) return;
    // With fewer rows, the browser has already moved the scroll bar.
    if (this.expectedTop > scale.farthestTop + 1) this.expectedTop = viewport.scrollTop;
    if (Math.abs(viewport.scrollTop - wanted) < 1) return;
    // Keep scrolling by the browser whose event has not fired yet.
    if (Math.abs(viewport.scrollTop - this.expectedTop) >= 1) return;
    viewport.scrollTop = wanted;
    this.expectedTop = viewport.scrollTop;
  }

  private settleFlowing(
    block: HTMLElement,
    top: { at: number; offset: number },
    isPinned: boolean,
    height: number,
  ): number {
    const { from, to } = untracked(this.place.range);
    const { end } = untracked(this.place.bounds);
    const whole = block.offsetHeight;
    const rows = to - from;
    const average = rows === 0 ? 0 : whole / rows;
    const known = untracked(this.averageHeight);
    if (average > 0 && Math.abs(average - known) > known / 4) this.averageHeight.set(average);
    if (isPinned) return Math.min(0, height - whole);
    const heights = this.heights();
    let above = 0;
    for (let at = from; at < top.at; at += 1) above += heights.get(at) ?? 0;
    let y = -above - top.offset;
    if (this.revealing) {
      this.revealing = false;
      const row = block.querySelector<HTMLElement>('.cursor');
      const over = row ? row.offsetTop + row.offsetHeight + y - height : 0;
      if (over > 0) {
        this.scrollWrapped(over);
        y -= over;
      }
    }
    // No empty space after the last row.
    if (to === end && y + whole < height && whole > 0) {
      this.place.pin();
      return Math.min(0, height - whole);
    }
    return y;
  }

  private heights(): Map<number, number> {
    const { from } = untracked(this.place.range);
    const { children } = this.block().nativeElement;
    return new Map([...children].map((row, index) => [from + index, (row as HTMLElement).offsetHeight]));
  }

  /** The rendered position of the upper edge. */
  private measuredTop(): { at: number; offset: number } {
    const { from } = untracked(this.place.range);
    const edge = this.viewport().nativeElement.getBoundingClientRect().top;
    const rows = [...this.block().nativeElement.children];
    const index = rows.findIndex((row) => row.getBoundingClientRect().bottom > edge);
    const row = rows[Math.max(0, index)];
    return {
      at: from + Math.max(0, index),
      offset: row ? Math.max(0, edge - row.getBoundingClientRect().top) : 0,
    };
  }
}
