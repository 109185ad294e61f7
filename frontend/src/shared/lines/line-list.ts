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
import { Clock } from '../browser/clock';
import { rowsOf } from '../grid/row-keys';
import { rowAfter, rowsPerPage } from '../grid/row-steps';
import { copyText } from '../ui/copy-text';
import { Icon } from '../ui/icon';
import { Toaster } from '../ui/toaster';
import { copyGaps, copyTitle, readRows } from './copy-rows';
import { type DrawnRow, drawRow, SegmentCache } from './drawn-row';
import type { LineMarks } from './hits';
import type { LogGap, LogLine, LogRow } from './log-line';
import { type LineSize, rowPixels, type SourceStyle, widthOf } from './line-style';
import type { TimeMode } from './line-time';
import { ListPlace, MAX_ROWS } from './list-place';
import { ListScroller } from './list-scroller';
import { RowMark } from './row-mark';
import type { RowSource } from './row-source';
import { PlainButton } from '../ui/plain-button';
import { Raw } from '../ui/raw';
import { newLineCount } from '../format/format';

/** Below this width, the text of a row is shown below its time and source. */
const STACKED_PX = 620;

/** Height of the button for the newest lines, with its margins. */
const PILL_PX = 60;

let lists = 0;

/**
 * A virtual list of log lines. Follows the end until the user scrolls up; then it stays in place and counts new
 * lines.
 */
@Component({
  selector: 'sw-line-list',
  imports: [Icon, PlainButton, Raw],
  templateUrl: './line-list.html',
  styleUrl: './line-list.scss',
  host: {
    '[class]': 'size()',
    '[class.stacked]': 'stacked()',
    '[class.wrapped]': 'flowing()',
    '[class.plain]': '!levels()',
    '[class.timeless]': '!times()',
    '[style.--columns]': 'columns()',
    '[style.max-height.px]': 'place.tallest()',
  },
})
export class LineList {
  private readonly clock = inject(Clock);
  private readonly toaster = inject(Toaster);
  readonly rows = input.required<RowSource>();
  readonly label = input($localize`Lines`);
  readonly sourceStyle = input.required<(source: number) => SourceStyle>();
  readonly marks = input<LineMarks | null>(null);
  /** The color of a line, 1 to 8, or null. Reads signals. */
  readonly highlightOf = input<(line: LogLine, text: string) => number | null>(() => null);
  readonly wrap = input(false);
  readonly time = input<TimeMode>('local');
  readonly size = input<LineSize>('medium');
  /** Lines of several sources: each line shows its source. */
  readonly mixed = input(true);
  readonly times = input(true);
  readonly levels = input(true);
  /** JSON, logfmt and klog lines show their message first. */
  readonly structured = input(false);
  /** New lines may arrive: while not following, the list counts them. */
  readonly growing = input(true);
  /** While not following, a button leads to the newest line. Other lists have such a button above or below them. */
  readonly button = input(false);
  /** Limit of rendered rows; it also limits the height. */
  readonly most = input(MAX_ROWS);
  readonly opened = output<LogLine>();
  readonly current = output<LogLine | null>();
  readonly loadGap = output<LogGap>();

  private readonly viewport = viewChild.required<ElementRef<HTMLElement>>('viewport');
  private readonly block = viewChild.required<ElementRef<HTMLElement>>('block');
  private readonly cache = computed(
    () =>
      new SegmentCache(this.structured(), this.structured() && this.times() && this.time() !== 'relative'),
  );
  private readonly width = signal(1000);
  private readonly averageHeight = signal(0);

  protected readonly columns = computed(() =>
    [
      this.times() ? '12.4ch' : '',
      this.levels() ? '3.2ch' : '',
      this.mixed() ? `min(30%, ${this.longest()}ch + 11px)` : '',
      'minmax(0, 1fr)',
    ].join(' '),
  );
  protected readonly id = `lines-${(lists += 1)}`;
  protected readonly stacked = computed(() => this.width() < STACKED_PX);
  protected readonly flowing = computed(() => this.wrap() || this.stacked());
  private readonly rowPixels = computed(() => rowPixels(this.size()));
  private readonly rowHeight = computed(() =>
    this.flowing() && this.averageHeight() > 0 ? this.averageHeight() : this.rowPixels(),
  );
  protected readonly place = new ListPlace(
    this.rows,
    this.rowHeight,
    this.rowPixels,
    this.flowing,
    this.most,
  );
  protected readonly scroller = new ListScroller(
    this.place,
    this.viewport,
    this.block,
    this.flowing,
    this.averageHeight,
    () => this.unfollow(),
  );
  readonly following = this.place.pinned;
  protected readonly height = this.place.height;
  protected readonly count = computed(() => {
    const { first, end } = this.place.bounds();
    return end - first;
  });
  /** The focused row, and the other end of the selection. */
  private readonly cursorMark = new RowMark(this.rows);
  private readonly otherMark = new RowMark(this.rows);
  protected readonly cursor = this.cursorMark.at;
  private readonly selectedFrom = this.otherMark.at;
  protected readonly shown = computed<DrawnRow[]>(() => {
    const rows = this.rows();
    const { from, to } = this.place.range();
    const { first } = this.place.bounds();
    rows.version();
    const mode = this.time();
    const options = {
      styleOf: this.sourceStyle(),
      marks: this.marks(),
      highlightOf: this.highlightOf(),
      mode,
      now: mode === 'relative' ? this.clock.now() : 0,
      first,
      cursor: this.cursor(),
      other: this.selectedFrom(),
    };
    const cache = this.cache();
    const drawn: DrawnRow[] = [];
    for (let at = from; at < to; at += 1) drawn.push(drawRow(at, rows.row(at), options, cache));
    return drawn;
  });
  /** Characters of the longest source shown so far: a column that follows each line would move the text beside it. */
  private readonly longest = linkedSignal<{ key: unknown[]; shown: DrawnRow[] }, number>({
    source: () => ({ key: [this.rows(), this.sourceStyle()], shown: this.shown() }),
    computation: ({ key, shown }, previous) => {
      const isSame = previous?.source.key.every((part, index) => part === key[index]) === true;
      return Math.max(
        isSame ? previous.value : 0,
        ...shown.map(({ source }) => (source ? widthOf(source) : 0)),
      );
    },
  });
  private readonly seen = linkedSignal<RowSource, number>({
    source: this.rows,
    computation: (rows) => untracked(() => rows.arrived),
  });
  readonly unseen = computed(() => {
    this.rows().version();
    return this.following() ? 0 : Math.max(0, this.rows().arrived - this.seen());
  });
  /** The button for the newest lines would cover the line of the cursor. */
  protected readonly isPillInTheWay = computed(() => {
    const at = this.cursor();
    if (at === null) return false;
    const { at: top, offset } = this.place.top();
    const bottom = (at - top + 1) * this.rowHeight() - offset;
    return bottom > this.height() - PILL_PX && bottom < this.height() + this.rowHeight();
  });
  protected readonly unseenLabel = computed(() => {
    const count = this.unseen();
    if (count === 0) return this.growing() ? $localize`Newest line` : $localize`End`;
    return newLineCount(count);
  });

  constructor() {
    const destroyed = inject(DestroyRef);
    afterNextRender(() => {
      const observer = new ResizeObserver(() => this.measure());
      observer.observe(this.viewport().nativeElement);
      destroyed.onDestroy(() => observer.disconnect());
      this.measure();
    });
    destroyed.onDestroy(() => this.scroller.stop());
    effect(() => {
      this.rows();
      untracked(() => this.follow());
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
      this.width();
      untracked(() => {
        // The bar above may have grown: with its height before, a list at its end has no room to move back.
        this.measure();
        this.scroller.settle();
      });
    });
  }

  follow(): void {
    this.otherMark.set(null);
    this.cursorMark.set(null);
    this.place.pin();
  }

  unfollow(): void {
    if (!this.following()) return;
    this.scroller.unpin();
    this.seen.set(this.rows().arrived);
  }

  goTo(at: number): void {
    this.unfollow();
    this.place.show(at, 'middle');
    this.move(at, false, false);
  }

  toTop(): void {
    this.unfollow();
    this.place.set({ at: this.place.bounds().first, offset: 0 });
  }

  /** The row of the cursor, or else the first visible row. */
  currentRow(): number {
    return this.cursor() ?? this.place.top().at;
  }

  /** The rows that keep their place when others are added or removed. */
  held(): LogRow[] {
    const rows = [this.place.line, this.cursorMark.row(), this.otherMark.row()];
    return rows.filter((row) => row !== undefined);
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
    this.scroller.anchor(String(at));
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
    const by = rowsOf(key, rowsPerPage(this.height(), this.rowHeight()));
    if (by === undefined || end <= first) return false;
    const wasFollowing = this.following();
    const edge = wasFollowing ? end : this.place.top().at - (by > 0 ? 1 : 0);
    const from = this.cursor() ?? edge;
    this.unfollow();
    const at = rowAfter(from, by, end, first);
    this.place.show(at, 'inside');
    this.move(at, extend, true);
    return true;
  }

  private move(at: number, extend: boolean, reveal: boolean): void {
    this.otherMark.set(extend ? (this.selectedFrom() ?? this.cursor() ?? at) : null);
    this.cursorMark.set(at);
    this.current.emit(this.lineAt(at));
    if (reveal) this.scroller.reveal();
  }

  private lineAt(at: number | null): LogLine | null {
    const row = at === null ? undefined : this.rows().row(at);
    return row?.kind === 'line' ? row : null;
  }

  private measure(): void {
    const { clientHeight, clientWidth } = this.viewport().nativeElement;
    this.height.set(clientHeight);
    this.width.set(clientWidth);
  }
}
