import { computed, inject, type Signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import type { ClusterKey } from '../../shared/api/api';
import type { ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import { typedText } from '../../shared/ui/typed-text';
import { isShown } from '../resource-model/namespaces';
import { readTableView, tableParams, type TableView } from '../resource-model/resource-address';
import { matchesSelector, readSelector } from './label-selector';
import { type NamespaceChoice, namespaceChoice } from './namespace-choice';
import { sameJson } from '../../shared/format/same-json';
import { type TableColumn, textOf } from './table-columns';

/** The filter, the order and the opened object of a table, all in the URL. Requires an injection context. */
export class TableFilter {
  private readonly router = inject(Router);
  private readonly params = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  readonly namespaceChoice: NamespaceChoice;
  readonly view = computed(() => readTableView((name) => this.params().get(name)), { equal: sameJson });
  readonly text = typedText(() => this.view().text);
  readonly labels = typedText(() => this.view().labels);
  /** Undefined for invalid text. */
  readonly selector = computed(() => readSelector(this.labels()));
  /** Empty for all namespaces, and for a cluster-scoped kind. */
  readonly namespaces = computed(() =>
    this.type()?.namespaced === false ? [] : this.namespaceChoice.chosen(),
  );
  readonly isActive = computed(
    () =>
      this.text().trim() !== '' ||
      this.labels().trim() !== '' ||
      this.namespaces().length > 0 ||
      this.view().status !== null,
  );

  constructor(
    key: Signal<ClusterKey | undefined>,
    private readonly type: Signal<ResourceTypeDto | undefined>,
  ) {
    this.namespaceChoice = namespaceChoice(key);
  }

  /** Whether the filter shows a row. The text is searched in the name and in the kind's own columns. */
  matcher(columns: () => readonly TableColumn[]): (row: TableRowDto) => boolean {
    const { status } = this.view();
    const namespaces = this.namespaces();
    const terms = this.text().toLowerCase().split(/\s+/).filter(Boolean);
    const selector = this.selector() ?? [];
    const searched = terms.length === 0 ? [] : columns().filter(({ kind }) => kind === 'cell');
    return (row) =>
      isShown(namespaces, row.namespace) &&
      (status === null || row.health === status) &&
      (selector.length === 0 || matchesSelector(row.labels, selector)) &&
      (terms.length === 0 || containsAll(row, terms, searched));
  }

  show(change: Partial<TableView>, into: 'history' | 'place' = 'place'): Promise<boolean> {
    const before = this.view();
    const { object, part } = { ...before, ...change };
    const isOther = part !== before.part || !sameJson(object, before.object);
    return this.router.navigate([], {
      queryParams: {
        ...tableParams({ ...before, text: this.text(), labels: this.labels(), ...change }),
        // The query of a log is not that of another object.
        ...(isOther && { log: null }),
      },
      queryParamsHandling: 'merge',
      replaceUrl: into === 'place',
      scroll: 'manual',
    });
  }

  filterBy(text: string): void {
    this.text.set(text);
    void this.show({ text });
  }

  selectBy(labels: string): void {
    this.labels.set(labels);
    void this.show({ labels });
  }

  async clear(): Promise<void> {
    this.text.set('');
    this.labels.set('');
    await this.show({ text: '', labels: '', status: null });
    if (this.namespaces().length > 0) await this.namespaceChoice.choose([]);
  }

  /** Ascending, then descending, then the default. */
  sortBy(column: string): void {
    const { sort } = this.view();
    const same = sort?.column === column;
    void this.show({ sort: same && sort.reversed ? null : { column, reversed: same } });
  }
}

function containsAll(row: TableRowDto, terms: readonly string[], columns: readonly TableColumn[]): boolean {
  const name = row.name.toLowerCase();
  return terms.every(
    (term) =>
      name.includes(term) || columns.some((column) => textOf(column, row, 0).toLowerCase().includes(term)),
  );
}
