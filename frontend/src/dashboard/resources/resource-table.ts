import { computed, effect, inject, type Signal, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { PodUsageDto, ResourceHealth, ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { LiveConnection } from '../../shared/live/live-connection';
import { Selection } from '../../shared/grid/selection';
import { isShown } from '../resource-model/namespaces';
import { isPodType, type TypeName } from '../resource-model/resource-address';
import { PodUsages } from './pod-usages';
import { sameJson } from '../../shared/format/same-json';
import { ShownColumns } from './shown-columns';
import { keyIn } from './table-columns';
import { TableFeed } from './table-feed';
import type { TableFilter } from './table-filter';
import type { RowOrder } from './table-rows';

/** Unless a column is sorted, rows that need attention come first. */
const HEALTH_RANKS: Readonly<Partial<Record<ResourceHealth, number>>> = { failed: 0, warning: 1 };

/**
 * The table of one kind as a page shows it: another feed for each cluster and kind, filtered and sorted, with columns
 * and selection. Requires an injection context.
 */
export class ResourceTable {
  private readonly api = inject(Api);
  private readonly clock = inject(Clock);
  private readonly connection = inject(LiveConnection);
  private readonly current = signal<TableFeed | undefined>(undefined);
  readonly feed = this.current.asReadonly();
  readonly selection = new Selection();
  readonly columns: ShownColumns;
  private readonly arePods = computed(() => isPodType(this.name()));
  private readonly usages = new PodUsages(() =>
    this.arePods() && this.feed()?.usage() === true ? this.key() : undefined,
  );

  readonly entries = computed(() => this.feed()?.shown() ?? []);
  private readonly rows = computed(() => {
    this.feed()?.size();
    return this.feed()?.all() ?? [];
  });
  /** Statuses of the rows of the chosen namespaces, so that the other filters do not hide a failure. */
  readonly healths = computed(() => {
    this.feed()?.version();
    const namespaces = this.filter.namespaces();
    return (this.feed()?.all() ?? [])
      .filter(({ namespace }) => isShown(namespaces, namespace))
      .map(({ health }) => health);
  });
  readonly namespaceCounts = computed(() => {
    const counts = new Map<string, number>();
    for (const { namespace } of this.rows()) {
      if (namespace !== null) counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
    }
    return counts;
  });
  readonly count = computed(() => {
    const feed = this.feed();
    const total = feed?.total() ?? null;
    const shown = this.entries().length;
    if (!feed || feed.waiting()) return '';
    if (this.filter.isActive()) {
      return total === null ? `${shown}` : $localize`${shown}:count: of ${total}:total:`;
    }
    return `${total ?? shown}`;
  });
  /** Without rows hidden by the filter. */
  readonly selected = computed(() => this.entries().filter(({ row }) => this.selection.has(row.uid)));
  /** Uid of the object in the panel. */
  readonly openRow = computed(() => {
    const { object } = this.filter.view();
    if (object === null) return null;
    this.entries();
    const rows = this.feed()?.all() ?? [];
    return (
      rows.find(({ name, namespace }) => name === object.name && namespace === object.namespace)?.uid ?? null
    );
  });
  /** Row of the object in the panel, even if a filter hides it. */
  readonly openEntry = computed(() => {
    const uid = this.openRow();
    this.entries();
    return uid === null ? null : (this.feed()?.get(uid) ?? null);
  });
  private readonly sortColumn = computed(
    () => {
      const { sort } = this.filter.view();
      // Events: newest first.
      return this.columns
        .all()
        .find(({ title, kind }) => (sort === null ? kind === 'seen' : title === sort.column));
    },
    { equal: sameJson },
  );
  private readonly order = computed<RowOrder>(() => {
    const column = this.sortColumn();
    return {
      matches: this.filter.matcher(this.columns.all),
      keyOf: column ? (row) => keyIn(column, row) : ({ health }) => HEALTH_RANKS[health] ?? 2,
      reversed: this.filter.view().sort?.reversed ?? false,
    };
  });

  constructor(
    private readonly key: Signal<ClusterKey | undefined>,
    private readonly name: Signal<TypeName>,
    type: Signal<ResourceTypeDto | undefined>,
    private readonly filter: TableFilter,
  ) {
    const { feed, rows, arePods: trends } = this;
    this.columns = new ShownColumns({ feed, rows, type, namespaces: filter.namespaces, trends });
    effect((onCleanup) => {
      const [key, name] = [this.key(), this.name()];
      if (!key) return;
      const feed = new TableFeed(this.api, this.connection, key, name, () => this.clock.read());
      untracked(() => {
        this.current.set(feed);
        this.selection.clear();
        this.columns.restore(name);
      });
      onCleanup(() => feed.end());
    });
    effect(() => {
      const feed = this.feed();
      const order = this.order();
      untracked(() => feed?.arrange(order));
    });
  }

  /** Usage of a Pod; undefined if unknown, and for other kinds. */
  usageOf(pod: Pick<TableRowDto, 'namespace' | 'name'>): PodUsageDto | undefined {
    return this.usages.of(pod);
  }
}
