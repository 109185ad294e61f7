import { CdkVirtualScrollViewport, ScrollingModule } from '@angular/cdk/scrolling';
import {
  Component,
  computed,
  DestroyRef,
  type ElementRef,
  inject,
  input,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Clock } from '../../shared/live/clock';
import { State } from '../../shared/ui/state';
import { readKey } from '../clusters/row-keys';
import type { Selection } from '../clusters/selection';
import { HEALTH_STATES, HEALTH_LABELS } from './kind-labels';
import { type TableColumn, TELLING, textOf, widthsOf } from './table-columns';
import type { Entry } from './table-rows';
import type { TableView } from './resource-address';

const PHONE = '(width <= 720px)';
const COARSE = '(pointer: coarse)';
/** Heights of rows in pixels; each stands in the styles too. */
const ROW = 32;
const TOUCHED_ROW = 44;
const PHONE_ROW = 56;
/** Kept in the page above and below what is in sight, in pixels, and at most twice that: each row there is work. */
const BUFFER = 256;
/** Ages are as old as this at most. */
const AGES_EVERY_MS = 5000;
/** What most rows have in a column: pods that never restarted, events that warn of nothing. */
const RULE: Readonly<Record<string, string>> = { Restarts: '0', Type: 'Normal' };
/** Columns whose values can be told apart without their titles. */
const SPEAKING: readonly string[] = ['Status', 'Reason', 'Object', 'Message'];
/** Longer values may be cut where they end the line. */
const SHORT_VALUE = 16;
/** Of the page keys, the rows that stay in sight. */
const OVERLAP = 2;

/**
 * The rows of a table, of which only those in sight are in the page. One tab stop: the arrows go from row to
 * row, Enter opens one, the space bar selects it.
 */
@Component({
  selector: 'sw-resource-grid',
  imports: [ScrollingModule, State],
  templateUrl: './resource-grid.html',
  styleUrl: './resource-grid.scss',
  host: { '[class.phone]': 'phone()' },
})
export class ResourceGrid {
  private readonly clock = inject(Clock);
  private readonly scroller = viewChild.required<ElementRef<HTMLElement>>('scroller');
  private readonly viewport = viewChild.required(CdkVirtualScrollViewport);

  readonly entries = input.required<readonly Entry[]>();
  readonly columns = input.required<readonly TableColumn[]>();
  readonly label = input.required<string>();
  readonly sort = input.required<TableView['sort']>();
  readonly selection = input.required<Selection>();
  /** The row whose object stands beside the table. */
  readonly open = input<string | null>(null);
  /** Where the link of a row leads, for a tab of its own. */
  readonly linkOf = input.required<(entry: Entry) => string>();
  readonly sorted = output<string>();
  readonly opened = output<{ entry: Entry; byKey: boolean }>();
  readonly deleteAsked = output();

  protected readonly phone = mediaSignal(PHONE);
  private readonly coarse = mediaSignal(COARSE);
  protected readonly rowHeight = computed(() =>
    this.phone() ? PHONE_ROW : this.coarse() ? TOUCHED_ROW : ROW,
  );
  protected readonly now = computed(() => Math.floor(this.clock.now() / AGES_EVERY_MS) * AGES_EVERY_MS);
  /** Rows that come later do not make columns jump: they are measured when columns or the first rows change. */
  protected readonly widths = computed(() => {
    const columns = this.columns();
    this.filled();
    return untracked(() =>
      widthsOf(
        columns,
        this.entries().map(({ row }) => row),
        this.now(),
      ),
    );
  });
  private readonly filled = computed(() => Math.min(this.entries().length, 50));
  /** On a phone: what stands in the second line of a row. */
  protected readonly second = computed(() =>
    this.columns().filter(({ sort }) => sort !== 'name' && sort !== 'age'),
  );
  protected readonly age = computed(() => this.columns().find(({ sort }) => sort === 'age'));
  protected readonly chosen = computed(() => this.selection().keys());
  protected readonly all = computed(() => {
    const keys = this.chosen();
    const entries = this.entries();
    return entries.length > 0 && keys.size >= entries.length && entries.every(({ row }) => keys.has(row.uid));
  });
  private readonly at = signal<string | null>(null);
  protected readonly current = computed(() => {
    const entries = this.entries();
    const at = this.at() ?? this.open();
    const index = at === null ? -1 : entries.findIndex(({ row }) => row.uid === at);
    return index < 0 ? (entries.length > 0 ? 0 : -1) : index;
  });
  protected readonly focused = signal(false);
  /** The row that the keyboard is at; rows out of sight are not in the page. */
  protected readonly active = computed(() => {
    const entry = this.entries()[this.current()];
    return entry ? idOf(entry) : null;
  });
  protected readonly buffer = BUFFER;
  protected readonly text = textOf;
  protected readonly shortValue = SHORT_VALUE;
  protected readonly idOf = idOf;
  protected readonly states = HEALTH_STATES;
  protected readonly words = HEALTH_LABELS;
  protected readonly byUid = (_index: number, { row }: Entry): string => row.uid;

  /** Brings the keyboard back to the rows. */
  focus(): void {
    this.scroller().nativeElement.focus({ preventScroll: true });
  }

  protected isSorted({ title }: TableColumn): 'ascending' | 'descending' | null {
    const sort = this.sort();
    if (sort?.column !== title) return null;
    return sort.reversed ? 'descending' : 'ascending';
  }

  /** Red and amber are for the word that says what is wrong. */
  protected tells({ title }: TableColumn): boolean {
    return TELLING.includes(title);
  }

  /** On a phone, where there is room for little: what is the rule is not said. */
  protected saysMuch({ title }: TableColumn, value: string): boolean {
    return value !== '<none>' && RULE[title] !== value;
  }

  /** Its value needs no word before it. */
  protected speaksForItself({ sort, title }: TableColumn): boolean {
    return sort === 'namespace' || sort === 'memory' || SPEAKING.includes(title);
  }

  protected toggleAll(): void {
    if (this.all()) this.selection().clear();
    else this.selection().set(this.entries().map(({ row }) => row.uid));
  }

  protected pick(entry: Entry, event: MouseEvent): void {
    event.stopPropagation();
    this.at.set(entry.row.uid);
    if (event.shiftKey) {
      event.preventDefault();
      this.selection().extendTo(
        entry.row.uid,
        this.entries().map(({ row }) => row.uid),
      );
    } else this.selection().toggle(entry.row.uid);
  }

  /** Anywhere in a row. */
  protected click(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.row') : null;
    const entry = this.entries()[Number(row?.dataset['index'] ?? Number.NaN)];
    if (!entry) return;
    // The browser's own: a new tab.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // Who marks text in a row wants the text.
    if (String(getSelection()) !== '') return;
    this.at.set(entry.row.uid);
    this.opened.emit({ entry, byKey: false });
  }

  protected press(event: KeyboardEvent): void {
    const onGrid = event.target === event.currentTarget;
    if (!onGrid) return;
    if (this.pressPage(event)) return;
    const move = readKey(event, true);
    const entry = this.entries()[this.current()];
    if (!move || move.sort === 'within') return;
    event.preventDefault();
    switch (move.sort) {
      case 'go':
        this.go(this.current() + move.by);
        break;
      case 'end':
        this.go(move.last ? this.entries().length - 1 : 0);
        break;
      case 'extend':
        if (entry && !this.selection().has(entry.row.uid)) this.selection().toggle(entry.row.uid);
        this.go(this.current() + move.by);
        this.extend();
        break;
      case 'range':
        this.extend();
        break;
      case 'toggle':
        if (entry) this.selection().toggle(entry.row.uid);
        break;
      case 'open':
        if (entry) this.opened.emit({ entry, byKey: true });
        break;
      case 'all':
        this.selection().set(this.entries().map(({ row }) => row.uid));
        break;
      case 'none':
        this.selection().clear();
        break;
    }
  }

  /** @returns whether it was one of the keys of a long list */
  private pressPage(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const rows = Math.max(
      1,
      Math.floor(this.scroller().nativeElement.clientHeight / this.rowHeight()) - OVERLAP,
    );
    switch (event.key) {
      case 'PageDown':
        this.go(this.current() + rows);
        break;
      case 'PageUp':
        this.go(this.current() - rows);
        break;
      case 'Delete':
        if (this.selection().size() === 0) return false;
        this.deleteAsked.emit();
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  }

  private extend(): void {
    const entry = this.entries()[this.current()];
    if (!entry) return;
    this.selection().extendTo(
      entry.row.uid,
      this.entries().map(({ row }) => row.uid),
    );
  }

  private go(to: number): void {
    const index = Math.max(0, Math.min(this.entries().length - 1, to));
    const entry = this.entries()[index];
    if (!entry) return;
    this.at.set(entry.row.uid);
    this.reveal(index);
  }

  private reveal(index: number): void {
    const scroller = this.scroller().nativeElement;
    const head = scroller.querySelector<HTMLElement>('.head')?.offsetHeight ?? 0;
    const top = index * this.rowHeight();
    const bottom = top + this.rowHeight() + head;
    if (top < scroller.scrollTop) {
      scroller.scrollTop = top;
    } else if (bottom > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = bottom - scroller.clientHeight;
    }
    this.viewport().checkViewportSize();
  }
}

function idOf({ row }: Entry): string {
  return `row-${row.uid}`;
}

/** Whether a media query holds, while the component lives. */
function mediaSignal(query: string): () => boolean {
  const list = matchMedia(query);
  const holds = signal(list.matches);
  const changed = (): void => holds.set(list.matches);
  list.addEventListener('change', changed);
  inject(DestroyRef).onDestroy(() => list.removeEventListener('change', changed));
  return holds.asReadonly();
}
