import {
  Component,
  computed,
  effect,
  inject,
  input,
  resource,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import type { PodUsageDto, ResourceHealth } from '../../shared/api/api-types';
import { LiveConnection } from '../../shared/live/live-connection';
import { ClustersStore } from '../../shared/live/clusters-store';
import { mediaSignal } from '../../shared/ui/media-signal';
import { Popover } from '../../shared/ui/popover';
import { SearchField } from '../../shared/ui/search-field';
import { typedText } from '../../shared/ui/typed-text';
import { UI } from '../../shared/ui/ui';
import { chosenCluster } from '../cluster-context/chosen-cluster';
import { EngineChoice } from '../cluster-context/engine-choice';
import { Selection } from '../grid/selection';
import { Breadcrumbs, clusterCrumbs } from '../cluster-context/breadcrumbs';
import { type BulkAction, MAX_OBJECTS } from './bulk-labels';
import { ColumnChoice } from './column-choice';
import { groupKinds } from './kind-groups';
import { kindKey, kindTitle } from '../resource-model/kind-labels';
import { KindList } from './kind-list';
import { matchesSelector, readSelector } from './label-selector';
import { namespaceChoice } from './namespace-choice';
import { NamespaceFilter } from './namespace-filter';
import { isShown } from '../resource-model/namespaces';
import { ObjectPanel } from './object-panel';
import { PodUsages } from './pod-usages';
import { readColumns, saveColumns } from './column-preferences';
import { objectPage, readTableView, tableParams, type TableView } from '../resource-model/resource-address';
import { ResourceActions } from './resource-actions';
import { type OpenedRow, ResourceGrid } from './resource-grid';
import { ResourcesApi } from '../resource-model/resources-api';
import { columnsOf, commonLabels, keyIn, LABEL_PREFIX, textOf } from './table-columns';
import { SelectedObjects } from './selected-objects';
import { StatusFilter } from './status-filter';
import { TableFeed } from './table-feed';
import type { Entry } from './table-rows';
import { TableStates } from './table-states';

/** Unless a column is sorted, rows that need attention come first. */
const HEALTH_RANKS: Readonly<Partial<Record<ResourceHealth, number>>> = { failed: 0, warning: 1 };

/** Room for the kinds beside the table, and beside the table and the object panel. */
const WIDE = '(width > 900px)';
const WIDEST = '(width >= 1600px)';

/** Known before the list of kinds is loaded, so that the toolbar does not change then. */
const CLUSTER_SCOPED: readonly string[] = ['namespaces', 'nodes', 'persistentvolumes', 'storageclasses'];

@Component({
  selector: 'sw-resource-page',
  imports: [
    Breadcrumbs,
    ColumnChoice,
    EngineChoice,
    KindList,
    NamespaceFilter,
    ObjectPanel,
    Popover,
    ResourceGrid,
    SelectedObjects,
    StatusFilter,
    TableStates,
    UI,
  ],
  templateUrl: './resource-page.html',
  styleUrl: './resource-page.scss',
})
export class ResourcePage {
  private readonly actions = inject(ResourceActions);
  private readonly api = inject(ResourcesApi);
  private readonly connection = inject(LiveConnection);
  private readonly clusters = inject(ClustersStore);
  private readonly route = inject(ActivatedRoute);
  private readonly router = inject(Router);
  private readonly grid = viewChild(ResourceGrid);
  private readonly panel = viewChild(ObjectPanel);
  private readonly filterField = viewChild(SearchField);
  protected readonly isNamespaced = computed(
    () => this.type()?.namespaced ?? !CLUSTER_SCOPED.includes(this.plural()),
  );
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });

  /** From the URL. */
  readonly name = input.required<string>();
  readonly runtime = input<string>();
  readonly group = input.required<string>();
  readonly version = input.required<string>();
  readonly plural = input.required<string>();

  protected readonly live = this.clusters.live;
  private readonly chosen = chosenCluster(this.name, this.runtime);
  protected readonly choice = this.chosen.choice;
  protected readonly cluster = this.chosen.cluster;
  /** If the URL names the engine, the page does not wait for the list of clusters. */
  protected readonly key = computed(
    () => {
      const runtime = this.runtime() ?? this.chosen.key()?.runtime;
      return runtime === undefined ? undefined : { name: this.name(), runtime };
    },
    { equal: sameJson },
  );
  protected readonly typeName = computed(
    () => ({ group: this.group(), version: this.version(), plural: this.plural() }),
    { equal: sameJson },
  );
  protected readonly view = computed(() => readTableView((name) => this.params().get(name)), {
    equal: sameJson,
  });

  private readonly discovery = resource({
    params: () => this.key(),
    loader: ({ params: key }) => this.api.types(key),
  });
  protected readonly types = computed(() => (this.discovery.hasValue() ? this.discovery.value() : []));
  protected readonly kinds = computed(() => groupKinds(this.types()));
  protected readonly feed = signal<TableFeed | undefined>(undefined);
  protected readonly type = computed(() => {
    const { group, version, plural } = this.typeName();
    return (
      this.feed()?.type() ??
      this.types().find((type) => type.group === group && type.version === version && type.plural === plural)
    );
  });
  protected readonly title = computed(() => {
    const type = this.type();
    return type ? kindTitle(type) : this.plural();
  });
  protected readonly crumbs = clusterCrumbs(this.name, this.key, this.title);

  private readonly arePods = computed(() => this.group() === 'core' && this.plural() === 'pods');
  private readonly usages = new PodUsages(() =>
    this.arePods() && this.feed()?.usage() === true ? this.key() : undefined,
  );
  protected readonly usageOf = (row: Entry['row']): PodUsageDto | undefined => this.usages.of(row);

  protected readonly namespaceChoice = namespaceChoice(this.key);
  /** The filter of this table; empty for all namespaces, and for a cluster-scoped kind. */
  protected readonly namespaces = computed(() =>
    this.type()?.namespaced === false ? [] : this.namespaceChoice.chosen(),
  );
  protected readonly entries = computed(() => this.feed()?.shown() ?? []);
  private readonly rows = computed(() => {
    this.feed()?.size();
    return this.feed()?.all() ?? [];
  });
  /** Statuses of the rows of the chosen namespaces, so that the other filters do not hide a failure. */
  protected readonly healths = computed(() => {
    this.feed()?.version();
    const namespaces = this.namespaces();
    return (this.feed()?.all() ?? [])
      .filter(({ namespace }) => isShown(namespaces, namespace))
      .map(({ health }) => health);
  });
  private readonly labels = computed(() => commonLabels(this.rows()), { equal: sameJson });
  private readonly chosenColumns = signal<readonly string[] | undefined>(undefined);
  protected readonly allColumns = computed(() => {
    const feed = this.feed();
    const wanted = (this.chosenColumns() ?? [])
      .filter((title) => title.startsWith(LABEL_PREFIX))
      .map((title) => title.slice(LABEL_PREFIX.length));
    const labels = [...new Set([...this.labels(), ...wanted])];
    const namespaced = this.type()?.namespaced ?? false;
    const usage = feed?.usage() ?? false;
    return columnsOf(feed?.columns() ?? [], { namespaced, usage, trends: this.arePods() }, labels);
  });
  protected readonly columns = computed(() => {
    const chosen = this.chosenColumns();
    const isOneNamespace = this.namespaces().length === 1;
    return this.allColumns().filter(
      ({ kind, title, isDefault }) =>
        kind === 'name' ||
        // Within one namespace, the column is redundant.
        (kind === 'namespace' && isOneNamespace ? false : chosen ? chosen.includes(title) : isDefault),
    );
  });
  protected readonly namespaceCounts = computed(() => {
    const counts = new Map<string, number>();
    for (const { namespace } of this.rows()) {
      if (namespace !== null) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
    return counts;
  });
  protected readonly text = typedText(() => this.view().text);
  protected readonly selectorText = typedText(() => this.view().labels);
  protected readonly selector = computed(() => readSelector(this.selectorText()));
  protected readonly isFiltered = computed(
    () =>
      this.text().trim() !== '' ||
      this.selectorText().trim() !== '' ||
      this.namespaces().length > 0 ||
      this.view().status !== null,
  );
  protected readonly count = computed(() => {
    const feed = this.feed();
    const total = feed?.total() ?? null;
    const shown = this.entries().length;
    if (!feed || feed.waiting()) return '';
    if (this.isFiltered()) return total === null ? `${shown}` : `${shown} of ${total}`;
    return `${total ?? shown}`;
  });
  protected readonly selection = new Selection();
  /** Without rows hidden by the filter. */
  protected readonly selected = computed(() =>
    this.entries().filter(({ row }) => this.selection.has(row.uid)),
  );
  protected readonly openRow = computed(() => {
    const { object } = this.view();
    if (object === null) return null;
    this.entries();
    const rows = this.feed()?.all() ?? [];
    return (
      rows.find(({ name, namespace }) => name === object.name && namespace === object.namespace)?.uid ?? null
    );
  });
  protected readonly openObject = computed(
    () => {
      const { object } = this.view();
      return object === null ? null : { ...this.typeName(), ...object };
    },
    { equal: sameJson },
  );
  private readonly wide = mediaSignal(WIDE);
  private readonly widest = mediaSignal(WIDEST);
  protected readonly hasSidebar = computed(
    () => !this.discovery.error() && (this.openObject() === null ? this.wide() : this.widest()),
  );
  /** Whether columns without room are left out. Columns that the user chose stay. */
  protected readonly isFitted = computed(
    () => this.openObject() !== null || this.chosenColumns() === undefined,
  );
  /** Row of the object in the panel, even if a filter hides it. */
  protected readonly openEntry = computed(() => {
    const uid = this.openRow();
    this.entries();
    return uid === null ? null : (this.feed()?.get(uid) ?? null);
  });
  protected readonly openUsage = computed(() => {
    const object = this.openObject();
    return object === null ? null : (this.usages.of(object) ?? null);
  });
  protected readonly missing = computed(
    () => this.live.value() !== undefined && this.cluster() === undefined && this.choice().length === 0,
  );
  protected readonly linkOf = computed(() => {
    const key = this.key();
    const type = this.typeName();
    return ({ row: { namespace, name } }: Entry): string =>
      key ? objectPage(key, { ...type, namespace, name }) : '';
  });

  constructor() {
    effect((onCleanup) => {
      const key = this.key();
      const type = this.typeName();
      if (!key) return;
      const feed = new TableFeed(this.api, this.connection, key, type);
      untracked(() => {
        this.feed.set(feed);
        this.selection.clear();
        this.chosenColumns.set(readColumns(kindKey(type)));
      });
      onCleanup(() => feed.end());
    });
    const sortColumn = computed(
      () => {
        const { sort } = this.view();
        const columns = this.allColumns();
        // Events: newest first.
        return columns.find(({ title, kind }) => (sort === null ? kind === 'seen' : title === sort.column));
      },
      { equal: sameJson },
    );
    effect(() => {
      const feed = this.feed();
      const { status, sort } = this.view();
      const namespaces = this.namespaces();
      const column = sortColumn();
      const terms = this.text().toLowerCase().split(/\s+/).filter(Boolean);
      const selector = this.selector() ?? [];
      const columns = terms.length === 0 ? [] : this.allColumns().filter(({ kind }) => kind === 'cell');
      untracked(() =>
        feed?.arrange({
          matches: (row) =>
            isShown(namespaces, row.namespace) &&
            (status === null || row.health === status) &&
            (selector.length === 0 || matchesSelector(row.labels, selector)) &&
            (terms.length === 0 || containsAll(row, terms, columns)),
          keyOf: column ? (row) => keyIn(column, row) : ({ health }) => HEALTH_RANKS[health] ?? 2,
          reversed: sort?.reversed ?? false,
        }),
      );
    });
  }

  protected show(change: Partial<TableView>, into: 'history' | 'place' = 'place'): Promise<boolean> {
    return this.router.navigate([], {
      queryParams: tableParams({ ...this.view(), text: this.text(), labels: this.selectorText(), ...change }),
      queryParamsHandling: 'merge',
      replaceUrl: into === 'place',
      scroll: 'manual',
    });
  }

  protected filterBy(text: string): void {
    this.text.set(text);
    void this.show({ text });
  }

  protected selectBy(labels: string): void {
    this.selectorText.set(labels);
    void this.show({ labels });
  }

  protected async clearFilter(): Promise<void> {
    this.text.set('');
    this.selectorText.set('');
    this.filterField()?.focus();
    await this.show({ text: '', labels: '', status: null });
    if (this.namespaces().length > 0) await this.namespaceChoice.choose([]);
  }

  protected sortBy(column: string): void {
    const { sort } = this.view();
    const same = sort?.column === column;
    void this.show({ sort: same && sort.reversed ? null : { column, reversed: same } });
  }

  protected async open({ entry, byKey, why }: OpenedRow): Promise<void> {
    const { namespace, name } = entry.row;
    if (!(await this.mayLeave())) return;
    const part = why ? 'details' : this.view().part;
    await this.show({ object: { namespace, name }, part }, this.view().object === null ? 'history' : 'place');
    if (byKey) setTimeout(() => this.panel()?.focus());
    if (why) setTimeout(() => this.panel()?.showCause());
  }

  protected async close(): Promise<void> {
    if (await this.mayLeave()) await this.closeDeleted();
  }

  /** Called by the router before it leaves the page. */
  mayLeave(): Promise<boolean> | boolean {
    return this.panel()?.mayClose() ?? true;
  }

  protected async changeSelected(action: BulkAction): Promise<void> {
    const [key, type] = [this.key(), this.type()];
    const objects = this.selected().map(({ row: { namespace, name } }) => ({ namespace, name }));
    if (!key || !type || objects.length === 0 || objects.length > MAX_OBJECTS) return;
    if (await this.actions.changeAll({ action, key, type, objects })) this.selection.clear();
    this.grid()?.focus();
  }

  protected saveColumns(titles: readonly string[] | undefined): void {
    this.chosenColumns.set(titles);
    saveColumns(kindKey(this.typeName()), titles);
  }

  protected retry(): void {
    void this.live.refresh();
    void this.feed()?.read();
    this.discovery.reload();
  }

  protected toRows(event: Event): void {
    event.preventDefault();
    this.grid()?.focus();
  }

  protected async closeDeleted(): Promise<void> {
    await this.show({ object: null });
    setTimeout(() => this.grid()?.focus());
  }
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function containsAll(
  row: Entry['row'],
  terms: readonly string[],
  columns: Parameters<typeof textOf>[0][],
): boolean {
  const name = row.name.toLowerCase();
  return terms.every(
    (term) =>
      name.includes(term) || columns.some((column) => textOf(column, row, 0).toLowerCase().includes(term)),
  );
}
