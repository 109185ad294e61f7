import { CdkVirtualScrollViewport, ScrollingModule } from '@angular/cdk/scrolling';
import {
  afterNextRender,
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Clock } from '../../shared/browser/clock';
import type { PodUsageDto } from '../../shared/api/api-types';
import { mediaSignal } from '../../shared/ui/media-signal';
import { Sparkline } from '../../shared/ui/sparkline';
import { UI } from '../../shared/ui/ui';
import { currentRow } from '../../shared/grid/current-row';
import { readKey, runMove } from '../../shared/grid/row-keys';
import { rowsPerPage, topToShow } from '../../shared/grid/row-steps';
import type { Selection } from '../../shared/grid/selection';
import { HEALTH_LABELS, HEALTH_STATES } from '../resource-model/kind-labels';
import { fittingColumns, STATUS_COLUMNS, type TableColumn, textOf, widthsOf } from './table-columns';
import type { Entry } from './table-rows';
import type { TableView } from '../resource-model/resource-address';

const PHONE = '(width <= 720px)';
const COARSE = '(pointer: coarse)';
/** Row heights in pixels. */
const ROW = 32;
const TOUCH_ROW = 44;
const PHONE_ROW = 56;
/** Rendered above and below the viewport, in pixels; at most twice as much. */
const BUFFER = 256;
/** The checkbox, and both ends of a row. */
const EDGES_PX = 56;
const AGE_REFRESH_MS = 5000;
/** Values too common to show on a phone. */
const COMMON_VALUES: Readonly<Record<string, string>> = { Restarts: '0', Type: 'Normal' };
/** Columns whose values are clear without a title. */
const SELF_EXPLANATORY: readonly string[] = ['Status', 'Reason', 'Object', 'Message'];
/** Longer values may be truncated at the end of the line. */
const SHORT_VALUE = 16;

export interface OpenedRow {
  entry: Entry;
  byKey: boolean;
  /** By the status of an unhealthy object, whose cause is wanted. */
  why: boolean;
}

/**
 * Virtually scrolled rows with one tab stop: arrow keys move between rows, Enter opens a row, Space selects it.
 */
@Component({
  selector: 'sw-resource-grid',
  imports: [ScrollingModule, Sparkline, UI],
  templateUrl: './resource-grid.html',
  styleUrl: './resource-grid.scss',
  host: { class: 'fill flex-column', '[class.phone]': 'phone()' },
})
export class ResourceGrid {
  private readonly clock = inject(Clock);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  private readonly viewport = viewChild.required(CdkVirtualScrollViewport);

  readonly entries = input.required<readonly Entry[]>();
  readonly columns = input.required<readonly TableColumn[]>();
  /** Whether to leave out columns without room, the least important first. Otherwise the grid scrolls. */
  readonly fitted = input(false);
  readonly label = input.required<string>();
  readonly sort = input.required<TableView['sort']>();
  readonly selection = input.required<Selection>();
  /** Uid of the row whose object is in the panel. */
  readonly open = input<string | null>(null);
  /** URL of a row, to open it in a new tab. */
  readonly linkOf = input.required<(entry: Entry) => string>();
  /** Usage of a row of a Pod; undefined if unknown. */
  readonly usageOf = input<(row: Entry['row']) => PodUsageDto | undefined>(() => undefined);
  readonly sorted = output<string>();
  readonly opened = output<OpenedRow>();
  readonly deleteRequested = output();

  protected readonly phone = mediaSignal(PHONE);
  private readonly coarse = mediaSignal(COARSE);
  protected readonly rowHeight = computed(() => (this.phone() ? PHONE_ROW : this.coarse() ? TOUCH_ROW : ROW));
  protected readonly now = computed(() => Math.floor(this.clock.now() / AGE_REFRESH_MS) * AGE_REFRESH_MS);
  /** Measured only when the columns or the first rows change, so that later rows do not move the columns. */
  protected readonly widths = computed(() => {
    const columns = this.shown();
    this.filled();
    return untracked(() =>
      widthsOf(
        columns,
        this.entries().map(({ row }) => row),
        this.now(),
      ),
    );
  });
  private readonly roomRem = signal(0);
  protected readonly shown = computed(() => {
    const wanted = this.columns();
    const room = this.roomRem();
    if (!this.fitted() || this.phone() || room === 0) return wanted;
    this.filled();
    const rows = untracked(() => this.entries().map(({ row }) => row));
    return fittingColumns(wanted, rows, room);
  });
  private readonly filled = computed(() => Math.min(this.entries().length, 50));
  /** Columns in the second line of a row on a phone. */
  protected readonly second = computed(() =>
    this.shown().filter(({ kind }) => !['name', 'age', 'seen'].includes(kind)),
  );
  protected readonly age = computed(() => this.shown().find(({ kind }) => kind === 'age' || kind === 'seen'));
  protected readonly nameColumn = computed(() => this.shown().find(({ kind }) => kind === 'name'));
  private readonly uids = computed(() => this.entries().map(({ row }) => row.uid));
  protected readonly chosen = computed(() => this.selection().keys());
  protected readonly all = computed(() => this.selection().hasAll(this.uids()));
  private readonly at = signal<string | null>(null);
  private readonly currentUid = currentRow(this.uids, () => this.at() ?? this.open());
  protected readonly current = computed(() => this.uids().indexOf(this.currentUid() ?? ''));
  /** The row that the keys are for. */
  readonly currentEntry = computed(() => this.entries()[this.current()]);
  protected readonly focused = signal(false);
  /** Element id of the current row, which is absent while scrolled out of view. */
  protected readonly active = computed(() => {
    const entry = this.currentEntry();
    return entry ? idOf(entry) : null;
  });
  protected readonly buffer = BUFFER;
  protected readonly text = textOf;
  protected readonly shortValue = SHORT_VALUE;
  protected readonly idOf = idOf;
  protected readonly states = HEALTH_STATES;
  protected readonly labels = HEALTH_LABELS;
  protected readonly byUid = (_index: number, { row }: Entry): string => row.uid;

  constructor() {
    const observer = new ResizeObserver(([entry]) => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      this.roomRem.set(((entry?.contentRect.width ?? 0) - EDGES_PX) / rem);
    });
    afterNextRender(() => observer.observe(this.scroller().nativeElement));
    inject(DestroyRef).onDestroy(() => observer.disconnect());
    // The row of an object that a link opens can be anywhere in the table.
    effect((onCleanup) => {
      const uid = this.open();
      if (uid === null) return;
      // When the viewport has the height of all rows.
      const timer = setTimeout(() => {
        const index = this.uids().indexOf(uid);
        if (index >= 0) this.reveal(index);
      });
      onCleanup(() => clearTimeout(timer));
    });
  }

  focus(): void {
    this.scroller().nativeElement.focus({ preventScroll: true });
  }

  /** The text of the name column: of an event its reason. */
  protected titleOf({ row }: Entry): string {
    const column = this.nameColumn();
    return column ? textOf(column, row, 0) : row.name;
  }

  protected isSorted({ title }: TableColumn): 'ascending' | 'descending' | null {
    const sort = this.sort();
    if (sort?.column !== title) return null;
    return sort.reversed ? 'descending' : 'ascending';
  }

  protected isUnhealthy({ row: { health } }: Entry): boolean {
    return health === 'failed' || health === 'warning';
  }

  protected trendOf({ kind }: TableColumn, row: Entry['row']): readonly (number | null)[] {
    const usage = this.usageOf()(row);
    return (kind === 'cpu' ? usage?.cpu_trend : usage?.memory_trend) ?? [];
  }

  /** Status columns take the color of the row's health. */
  protected isStatus({ title }: TableColumn): boolean {
    return STATUS_COLUMNS.includes(title);
  }

  protected isNotable({ title }: TableColumn, value: string): boolean {
    return value !== '<none>' && COMMON_VALUES[title] !== value;
  }

  protected needsNoTitle({ kind, title }: TableColumn): boolean {
    return kind === 'namespace' || kind === 'memory' || SELF_EXPLANATORY.includes(title);
  }

  protected toggleAll(): void {
    this.selection().toggleAll(this.uids());
  }

  protected pick(entry: Entry, event: MouseEvent): void {
    event.stopPropagation();
    this.at.set(entry.row.uid);
    if (event.shiftKey) event.preventDefault();
    this.selection().pick(entry.row.uid, event.shiftKey, this.uids());
  }

  protected click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest<HTMLElement>('.row');
    const entry = this.entries()[Number(row?.dataset['index'] ?? Number.NaN)];
    // The label of the checkbox has a click of its own.
    if (!entry || target?.closest('.pick')) return;
    // The browser opens a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // The user is selecting text.
    if (String(getSelection()) !== '') return;
    this.at.set(entry.row.uid);
    this.opened.emit({ entry, byKey: false, why: Boolean(target?.closest('.why')) });
  }

  protected press(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget) return;
    const { key, ctrlKey, metaKey, altKey } = event;
    if (key === 'Delete' && !ctrlKey && !metaKey && !altKey && this.selection().size() > 0) {
      event.preventDefault();
      this.deleteRequested.emit();
      return;
    }
    const move = readKey(event, true, rowsPerPage(this.height(), this.rowHeight()));
    const entry = this.currentEntry();
    if (!move || !entry || move.sort === 'within') return;
    event.preventDefault();
    runMove(move, {
      keys: this.uids(),
      key: entry.row.uid,
      selection: this.selection(),
      go: (uid) => {
        this.at.set(uid);
        this.reveal(this.uids().indexOf(uid));
      },
      open: () => this.opened.emit({ entry, byKey: true, why: false }),
    });
  }

  private reveal(index: number): void {
    const scroller = this.scroller().nativeElement;
    const row = { top: index * this.rowHeight(), height: this.rowHeight() };
    scroller.scrollTop = topToShow(row, scroller.scrollTop, this.height());
    this.viewport().checkViewportSize();
  }

  /** Of the rows in view: the head covers the first ones. */
  private height(): number {
    const scroller = this.scroller().nativeElement;
    return scroller.clientHeight - (scroller.querySelector<HTMLElement>('.head')?.offsetHeight ?? 0);
  }
}

function idOf({ row }: Entry): string {
  return `row-${row.uid}`;
}
