import {
  afterRenderEffect,
  ChangeDetectorRef,
  Component,
  computed,
  DOCUMENT,
  ElementRef,
  inject,
  input,
  output,
  untracked,
  viewChild,
} from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { formatBytes, formatCount, sourceCount } from '../../../shared/format/format';
import { rawText } from '../../../shared/format/raw-text';
import { ViewOptions } from '../../../shared/lines/view-options';
import { engineIcon } from '../../../shared/ui/icon';
import { UI } from '../../../shared/ui/ui';
import { SourceStyles } from '../sources/source-styles';
import { hidableSources } from './hidden-sources';
import { type Check, checkOf, type TreeNode, type TreeRow } from '../../search-model/source-groups';
import type { SourceSelection } from '../../search-model/source-group';
import {
  EMPTY_SELECTION,
  isEmptySelection,
  isSelected,
  isSelectedGroup,
  withGroup,
  withoutSources,
  withSources,
} from '../../search-model/source-selection';
import { SourceMenu } from './source-menu';
import { shownState, stateLabel, storedLines } from '../../search-model/source-names';
import { TreeState } from './tree-state';

const CHECKED: Readonly<Record<Check, 'true' | 'false' | 'mixed'>> = {
  all: 'true',
  some: 'mixed',
  none: 'false',
};

const ALL_HIDDEN = $localize`All of its sources are deleted and hidden`;
const WHOLE_GROUP = $localize`Selected as a group: includes new sources`;

/** From the right end of a row, in pixels. */
const MENU_INSET = 28;

@Component({
  selector: 'sw-source-tree',
  imports: [UI, SourceMenu],
  templateUrl: './source-tree.html',
  styleUrl: './source-tree.scss',
  host: { class: 'flex-column surface' },
})
export class SourceTree {
  private readonly changes = inject(ChangeDetectorRef);
  private readonly document = inject(DOCUMENT);
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly styles = inject(SourceStyles);
  protected readonly options = inject(ViewOptions);
  readonly sources = input.required<readonly LogSourceDto[]>();
  readonly selection = input.required<SourceSelection>();
  readonly selectionChange = output<SourceSelection>();
  readonly deleted = output<number>();
  private readonly menu = viewChild.required(SourceMenu);

  protected readonly selected = computed<ReadonlySet<number>>(() => {
    const selection = this.selection();
    return new Set(
      this.sources()
        .filter((source) => isSelected(source, selection))
        .map(({ id }) => id),
    );
  });
  /** Ended sources that may be hidden. */
  protected readonly gone = computed<ReadonlySet<number>>(() => {
    const gone = hidableSources(this.sources(), this.selection(), this.state.all());
    return new Set(gone.map(({ id }) => id));
  });
  protected readonly hidden = computed<ReadonlySet<number>>(() =>
    this.options.gone() ? new Set() : this.gone(),
  );
  protected readonly formatCount = formatCount;
  protected readonly formatBytes = formatBytes;
  protected readonly checked = CHECKED;
  protected readonly state: TreeState = new TreeState(
    this.sources,
    this.selected,
    this.hidden,
    this.selection,
  );
  protected readonly rows = this.state.rows;
  protected readonly isEverything = computed(() => isEmptySelection(this.selection()));
  protected readonly count = computed(() => {
    const all = this.sources().length;
    if (this.isEverything()) return $localize`All ${sourceCount(all)}:sources:`;
    const count = $localize`${this.selected().size}:selected: of ${sourceCount(all)}:sources:`;
    return this.selection().groups.length === 0 ? count : $localize`${count}:count:, and new ones`;
  });

  /** A row has the focus, or had it when it was removed. */
  private holdsFocus = false;
  private isRevealed = false;

  constructor() {
    afterRenderEffect(() => {
      if (this.isRevealed || this.rows().length === 0) return;
      this.isRevealed = true;
      untracked(() => this.revealSelection());
    });
    afterRenderEffect(() => {
      this.rows();
      const isLost = this.document.activeElement === this.document.body;
      if (this.holdsFocus && isLost) untracked(() => this.focusNearest());
    });
  }

  protected check({ ids }: TreeNode): Check {
    return checkOf(ids, this.selected());
  }

  protected icon({ id, runtime }: TreeNode): ReturnType<typeof engineIcon> | null {
    if (runtime === null) return null;
    return id.startsWith('others/') ? 'box' : engineIcon(runtime);
  }

  protected rate({ rate }: TreeNode): string {
    if (rate <= 0) return '';
    return rate < 1 ? '<1/s' : `${formatCount(Math.round(rate))}/s`;
  }

  protected stateOf({ source, children }: TreeNode): ReturnType<typeof shownState> {
    if (source) return shownState(source);
    return children.length === 0 ? shownState({ state: 'gone', reason: null }) : null;
  }

  protected hue({ source }: TreeNode): string | null {
    if (!source || !this.selected().has(source.id)) return null;
    return `var(--src-${this.styles.of(source.id).hue})`;
  }

  protected title(node: TreeNode): string {
    const { group, source, children } = node;
    if (!source && children.length === 0) return `${rawText(node.title)}\n${ALL_HIDDEN}`;
    const isWhole = isSelectedGroup(group, this.selection());
    const more = isWhole ? WHOLE_GROUP : source ? stateLabel(source) : '';
    const stored = source?.state === 'gone' ? storedLines(source) : [];
    return [rawText(node.title), more, ...stored].filter((line) => line !== '').join('\n');
  }

  /** A group is selected as a whole, including future sources. */
  protected toggle(node: TreeNode): void {
    this.state.hold();
    const selection = this.selection();
    if (this.check(node) === 'all') {
      this.selectionChange.emit(withoutSources(selection, new Set(node.ids), this.state.all()));
    } else this.selectionChange.emit(this.including(node, selection));
  }

  protected only(node: TreeNode): void {
    this.state.hold();
    this.selectionChange.emit(this.including(node, EMPTY_SELECTION));
  }

  protected clear(): void {
    this.state.hold();
    this.selectionChange.emit(EMPTY_SELECTION);
    this.element.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus();
  }

  private including({ group, ids }: TreeNode, selection: SourceSelection): SourceSelection {
    if (group) return withGroup(selection, group, this.sources());
    const wanted = new Set(ids);
    return withSources(
      selection,
      this.sources().filter(({ id }) => wanted.has(id)),
    );
  }

  /** The pressed button disappears: the focus moves to the first row. */
  protected showDeleted(): void {
    this.holdsFocus = true;
    this.options.gone.set(true);
  }

  protected click(row: TreeRow, event: Event): void {
    this.state.setCurrent(row.node.id);
    const target = event.target as Element;
    if (target.closest('.more')) this.openMenu(row, event.currentTarget as Element);
    else if (row.expanded !== null && target.closest('.turn')) this.state.toggle(row.node.id);
    else this.toggle(row.node);
  }

  protected pointMenu({ node }: TreeRow, event: MouseEvent): void {
    if (!node.source) return;
    this.state.setCurrent(node.id);
    this.menu().open(node.source, event);
  }

  protected press(row: TreeRow, event: KeyboardEvent): void {
    if (event.shiftKey && event.key === 'F10') {
      this.openMenu(row, event.currentTarget as Element);
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === ' ') this.toggle(row.node);
    else if (event.key === 'Enter') this.only(row.node);
    else {
      const next = this.state.navigate(event.key);
      if (next === null) return;
      this.state.setCurrent(next);
      // The key before may have opened a group whose rows are not rendered yet.
      this.changes.detectChanges();
      this.focus(next);
    }
    event.preventDefault();
  }

  protected focused(row: TreeRow): void {
    this.holdsFocus = true;
    this.state.setCurrent(row.node.id);
  }

  /** A removed row also fires `blur`. */
  protected blurred({ currentTarget }: FocusEvent): void {
    setTimeout(() => {
      const isHere = (currentTarget as Element | null)?.isConnected === true;
      const isLost = this.document.activeElement === this.document.body;
      if (isHere || !isLost) this.holdsFocus = this.isInRows(this.document.activeElement);
    });
  }

  private isInRows(element: Element | null): boolean {
    return element !== null && this.element.contains(element) && element.matches('[role=treeitem]');
  }

  /** Opens the menu below the end of a row, for the keyboard. */
  private openMenu({ node }: TreeRow, row: Element): void {
    const { right, bottom } = row.getBoundingClientRect();
    const place = { clientX: right - MENU_INSET, clientY: bottom, cancelable: true };
    if (node.source) this.menu().open(node.source, new MouseEvent('contextmenu', place));
  }

  /** Focuses a row, or the nearest if it was removed. */
  protected focus(id: string): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const index = this.rows().findIndex(({ node }) => node.id === id);
    if (index === -1) this.focusNearest();
    rows[index]?.focus();
    rows[index]?.scrollIntoView({ block: 'nearest' });
  }

  /** Of a link, the chosen sources may be far below. */
  private revealSelection(): void {
    const index = this.rows().findIndex(({ node }) => this.check(node) === 'all');
    this.element.querySelectorAll('[role=treeitem]')[index]?.scrollIntoView({ block: 'nearest' });
  }

  private focusNearest(): void {
    const current = this.state.current();
    this.holdsFocus = false;
    if (current !== null) this.focus(current);
    else this.element.querySelector('input')?.focus();
  }
}
