import { computed, linkedSignal, signal, type Signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { nearestRow } from './nearest-row';
import type { SourceChoice } from './belongings';
import { isChosenGroup } from './source-choice';
import {
  findSources,
  groupSources,
  leavesOf,
  openRows,
  type TreeNode,
  type TreeRow,
  withoutLeaves,
} from './source-groups';

/** Which groups of the tree are open, what is looked for, and where its keys are. */
export class TreeState {
  readonly text = signal('');
  private readonly turned = signal<ReadonlySet<string>>(new Set());
  private readonly place = signal<string | null>(null);
  /** All of it, whatever is looked for. */
  readonly whole = computed(() => groupSources(this.sources()));
  readonly isSearching = computed(() => this.text().trim() !== '');
  private readonly found = computed(() => findSources(this.whole(), this.text()));
  private readonly drawn = computed(() => {
    const hidden = this.hidden();
    const choice = this.choice();
    // What is chosen as a whole could not be left without its row.
    const isKept = ({ belongings }: TreeNode): boolean => isChosenGroup(belongings, choice);
    return withoutLeaves(this.found(), ({ id }) => hidden.has(id), isKept);
  });
  /** Some of what is looked for is there, and not drawn. */
  readonly hidesFound = computed(() => {
    const hidden = this.hidden();
    return leavesOf(this.found()).some(({ id }) => hidden.has(id));
  });

  readonly rows = computed<TreeRow[]>(() => {
    const turned = this.turned();
    // What is looked for is shown wherever it is.
    const isSearching = this.isSearching();
    return openRows(
      this.drawn(),
      (node, level) => isSearching || this.startsOpen(node, level) !== turned.has(node.id),
    );
  });
  /** The row that the tab key gets to. */
  readonly current = linkedSignal<{ rows: TreeRow[]; place: string | null }, string | null>({
    source: () => ({ rows: this.rows(), place: this.place() }),
    computation: ({ rows, place }, previous) => {
      const before = previous?.source.rows ?? [];
      return idIn(rows, place) ?? nearestRow(idIn(before, place) ?? previous?.value ?? null, before, rows);
    },
  }).asReadonly();

  constructor(
    private readonly sources: Signal<readonly LogSourceDto[]>,
    private readonly chosen: Signal<ReadonlySet<number>>,
    /** Those that are not drawn. */
    private readonly hidden: Signal<ReadonlySet<number>>,
    private readonly choice: Signal<SourceChoice>,
  ) {}

  stand(id: string): void {
    this.place.set(id);
  }

  turn(id: string): void {
    this.turned.update((turned) => {
      const next = new Set(turned);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }

  /** Where a key of the tree's pattern leads; null where it leads nowhere. It may open or close a group on the way. */
  go(key: string): string | null {
    const rows = this.rows();
    const index = rows.findIndex(({ node }) => node.id === this.current());
    const row = rows[index];
    if (!row) return null;
    switch (key) {
      case 'ArrowDown':
        return rows[index + 1]?.node.id ?? null;
      case 'ArrowUp':
        return rows[index - 1]?.node.id ?? null;
      case 'Home':
        return rows[0]?.node.id ?? null;
      case 'End':
        return rows.at(-1)?.node.id ?? null;
      case 'ArrowRight':
        if (row.expanded === true) return rows[index + 1]?.node.id ?? null;
        if (row.expanded === false) this.turn(row.node.id);
        return row.node.id;
      case 'ArrowLeft':
        if (row.expanded !== true) return row.parent;
        this.turn(row.node.id);
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

  /** Top groups, and whatever leads to what is chosen. */
  private startsOpen(node: TreeNode, level: number): boolean {
    const chosen = this.chosen();
    return level === 0 ? node.ids.length <= 60 || node.ids.some((id) => chosen.has(id)) : level === 1;
  }
}

function idIn(rows: readonly TreeRow[], id: string | null): string | null {
  return rows.find(({ node }) => node.id === id)?.node.id ?? null;
}
