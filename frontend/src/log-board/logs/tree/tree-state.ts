import { computed, signal, type Signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { currentRow } from '../../../shared/grid/current-row';
import { rowsOf } from '../../../shared/grid/row-keys';
import { rowAfter } from '../../../shared/grid/row-steps';
import type { SourceSelection } from '../../search-model/source-group';
import { isSelectedGroup } from '../../search-model/source-selection';
import {
  checkOf,
  findSources,
  groupSources,
  leavesOf,
  openRows,
  type TreeNode,
  type TreeRow,
  withoutLeaves,
} from '../../search-model/source-groups';

export class TreeState {
  readonly text = signal('');
  /** Groups that the user has expanded or collapsed. */
  private readonly expanded = signal<ReadonlyMap<string, boolean>>(new Map());
  private readonly focused = signal<string | null>(null);
  readonly all = computed(() => groupSources(this.sources()));
  readonly isSearching = computed(() => this.text().trim() !== '');
  private readonly found = computed(() => findSources(this.all(), this.text()));
  private readonly shown = computed(() => {
    const hidden = this.hidden();
    const selection = this.selection();
    // Without its row, a selected group could not be deselected.
    const isKept = ({ group }: TreeNode): boolean => isSelectedGroup(group, selection);
    return withoutLeaves(this.found(), ({ id }) => hidden.has(id), isKept);
  });
  /** Some matches are hidden. */
  readonly hidesFound = computed(() => {
    const hidden = this.hidden();
    return leavesOf(this.found()).some(({ id }) => hidden.has(id));
  });

  readonly rows = computed<TreeRow[]>(() => {
    const expanded = this.expanded();
    // A filter expands all groups.
    const isSearching = this.isSearching();
    return openRows(
      this.shown(),
      (node) => isSearching || (expanded.get(node.id) ?? this.isInitiallyOpen(node)),
    );
  });
  /** The row with `tabindex=0`. */
  readonly current = currentRow(
    computed(() => this.rows().map(({ node }) => node.id)),
    this.focused,
  );

  constructor(
    private readonly sources: Signal<readonly LogSourceDto[]>,
    private readonly selected: Signal<ReadonlySet<number>>,
    private readonly hidden: Signal<ReadonlySet<number>>,
    private readonly selection: Signal<SourceSelection>,
  ) {}

  setCurrent(id: string): void {
    this.focused.set(id);
  }

  toggle(id: string): void {
    const isExpanded = this.rows().find(({ node }) => node.id === id)?.expanded === true;
    this.expanded.update((groups) => new Map(groups).set(id, !isExpanded));
  }

  /** Keeps the shown groups as they are when the selection changes. */
  hold(): void {
    if (this.isSearching()) return;
    const groups = new Map(this.expanded());
    for (const { node, expanded } of this.rows()) if (expanded !== null) groups.set(node.id, expanded);
    this.expanded.set(groups);
  }

  /** The row that a key of the tree pattern moves to, or null. Expands or collapses groups. */
  navigate(key: string): string | null {
    const rows = this.rows();
    const index = rows.findIndex(({ node }) => node.id === this.current());
    const row = rows[index];
    if (!row) return null;
    const by = rowsOf(key);
    if (by !== undefined) return rows[rowAfter(index, by, rows.length)]?.node.id ?? null;
    switch (key) {
      case 'ArrowRight':
        if (row.expanded === true) return rows[index + 1]?.node.id ?? null;
        if (row.expanded === false) this.toggle(row.node.id);
        return row.node.id;
      case 'ArrowLeft':
        if (row.expanded !== true) return row.parent;
        this.toggle(row.node.id);
        return row.node.id;
      default:
        return this.findByLetter(key, rows, index);
    }
  }

  private findByLetter(key: string, rows: readonly TreeRow[], index: number): string | null {
    if (key.length !== 1 || key === ' ') return null;
    const letter = key.toLowerCase();
    const after = [...rows.slice(index + 1), ...rows.slice(0, index + 1)];
    return after.find(({ node }) => node.name.toLowerCase().startsWith(letter))?.node.id ?? null;
  }

  /** Namespaces are open. Other groups are if they contain selected sources, a workload if only some are selected. */
  private isInitiallyOpen({ group, ids }: TreeNode): boolean {
    const isWorkload = group?.workload !== undefined || group?.pod !== undefined;
    if (!isWorkload && (group?.namespace !== undefined || group?.node !== undefined)) return true;
    const check = checkOf(ids, this.selected());
    return check === 'some' || (check === 'all' && !isWorkload);
  }
}
