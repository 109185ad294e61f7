import {
  Component,
  computed,
  DestroyRef,
  effect,
  type ElementRef,
  inject,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, NavigationStart, Router, RouterLink } from '@angular/router';
import { filter } from 'rxjs';
import type { ClusterDto } from '../../shared/api/api-types';
import { Clock } from '../../shared/browser/clock';
import { formatAgo } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { ProblemsStore } from '../../shared/live/problems-store';
import { StatsStore } from '../../shared/live/stats-store';
import { SearchField } from '../../shared/ui/search-field';
import { typedText } from '../../shared/ui/typed-text';
import { UI } from '../../shared/ui/ui';
import { type KeptPlace, ListPlace } from '../cluster-context/list-place';
import { CreateCluster } from '../create/create-cluster';
import { AvailableContexts } from '../external/available-contexts';
import { currentRow } from '../../shared/grid/current-row';
import { readKey, runMove } from '../../shared/grid/row-keys';
import { rowAfter } from '../../shared/grid/row-steps';
import { BulkBar } from './bulk/bulk-bar';
import { ClusterRow } from './cluster-row';
import {
  countGroups,
  GROUP_LABELS,
  keyOf,
  matches,
  nearestName,
  ordered,
  sortedKeys,
  type Usage,
  usageOf,
} from './cluster-rows';
import { EngineNotices } from './engine-notices';
import { FirstCluster } from './first-cluster';
import { DEFAULT_VIEW, GROUPS, listParams, type ListView, readListView, type SortKey } from './list-address';
import { ListHead, SORTS } from './list-head';
import { MachineFigures } from './machine-figures';
import { RestartOffer } from './restart-offer';

@Component({
  selector: 'sw-clusters-page',
  imports: [
    AvailableContexts,
    BulkBar,
    ClusterRow,
    EngineNotices,
    FirstCluster,
    ListHead,
    MachineFigures,
    RestartOffer,
    RouterLink,
    UI,
  ],
  templateUrl: './clusters-page.html',
  styleUrl: './clusters-page.scss',
})
export class ClustersPage {
  private readonly clock = inject(Clock);
  protected readonly create = inject(CreateCluster);
  private readonly place = inject(ListPlace);
  private readonly route = inject(ActivatedRoute);
  private readonly router = inject(Router);
  private readonly filterField = viewChild(SearchField);
  private readonly list = viewChild<ElementRef<HTMLElement>>('list');
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });
  private readonly order = signal<readonly string[] | null>(null);
  protected readonly store = inject(ClustersStore);
  protected readonly jobs = inject(JobsStore);
  protected readonly problems = inject(ProblemsStore);
  protected readonly stats = inject(StatsStore);
  protected readonly selection = this.place.selection;

  protected readonly view = computed(() => readListView((name) => this.params().get(name)), {
    equal: sameJson,
  });
  protected readonly text = typedText(() => this.view().text);
  protected readonly groups = GROUPS;
  protected readonly groupLabels = GROUP_LABELS;
  protected readonly sorts = SORTS;
  protected readonly keyOf = keyOf;

  protected readonly counts = computed(() => countGroups(this.store.clusters()));
  protected readonly engines = computed(() =>
    [...new Set(this.store.clusters().map(({ runtime }) => runtime))].sort(),
  );
  protected readonly isEmpty = computed(
    () => this.store.live.value() !== undefined && this.store.clusters().length === 0,
  );
  protected readonly isFiltered = computed(
    () => this.text().trim() !== '' || this.view().group !== 'all' || this.view().engine !== '',
  );
  protected readonly rows = computed(() => {
    const wanted = { ...this.view(), text: this.text() };
    return ordered(
      this.store.clusters().filter((cluster) => matches(cluster, wanted)),
      this.order() ?? [],
    );
  });
  private readonly rowKeys = computed(() => this.rows().map(keyOf));
  /** Actions apply to shown clusters only. */
  protected readonly selected = computed(() =>
    this.rows().filter((cluster) => this.selection.has(keyOf(cluster))),
  );
  /** Key of the row that was focused last. */
  private readonly current = signal<string | null>(null);
  /** The one row in the tab order. */
  protected readonly tabStop = currentRow(this.rowKeys, this.current);
  private readonly usages = computed(() => {
    const hosts = new Map(this.stats.stats()?.runtimes.map(({ id, host }) => [id, host]));
    return new Map(
      this.store
        .clusters()
        .map((cluster) => [keyOf(cluster), usageOf(this.stats.of(cluster), hosts.get(cluster.runtime))]),
    );
  });
  protected readonly nearest = computed(() =>
    nearestName(
      this.text(),
      this.store.clusters().map(({ name }) => name),
    ),
  );
  protected readonly staleSince = computed(() => {
    const known = this.store.live.knownAt();
    return known === null ? '' : formatAgo(known, this.clock.local());
  });

  constructor() {
    this.store.live.watch();
    this.jobs.live.watch();
    this.problems.live.watch();
    this.stats.live.watch();
    this.restorePlace();
    const sort = computed(() => this.view().sort);
    const sortable = computed(
      () =>
        this.store.live.value() !== undefined &&
        (this.stats.stats() !== undefined || !['cpu', 'memory'].includes(sort().key)),
    );
    // Sorts once the data has loaded, and again only if the user changes the order.
    let sorted = this.order() === null ? '' : JSON.stringify(sort());
    effect(() => {
      const wanted = JSON.stringify(sort());
      if (!sortable() || wanted === sorted) return;
      sorted = wanted;
      untracked(() =>
        this.order.set(sortedKeys(this.store.clusters(), sort(), (cluster) => this.usage(cluster))),
      );
    });
  }

  protected usage(cluster: ClusterDto): Usage | undefined {
    return this.usages().get(keyOf(cluster));
  }

  /** Sorts by a key; reverses the order if it is the current one. */
  protected sortBy(key: SortKey): void {
    const { sort } = this.view();
    this.show({ sort: { key, reversed: sort.key === key && !sort.reversed } });
  }

  protected filterBy(text: string): void {
    this.text.set(text);
    this.show({ text });
  }

  protected show(change: Partial<ListView>): void {
    void this.router.navigate([], {
      queryParams: listParams({ ...this.view(), text: this.text(), ...change }),
      queryParamsHandling: 'merge',
      replaceUrl: true,
      scroll: 'manual',
    });
  }

  protected showOnly(text: string): void {
    this.text.set(text);
    this.show({ ...DEFAULT_VIEW, text, sort: this.view().sort });
  }

  protected clearFilter(): void {
    this.showOnly('');
    this.filterField()?.focus();
  }

  protected pick(key: string, range: boolean): void {
    this.current.set(key);
    this.selection.pick(key, range, this.rowKeys());
  }

  protected pickAll(): void {
    this.selection.toggleAll(this.rowKeys());
  }

  protected clearSelection(): void {
    this.selection.clear();
    this.focusRow(this.tabStop());
  }

  protected onFocus(event: FocusEvent): void {
    const key = rowOf(event.target)?.dataset['key'];
    if (key !== undefined) this.current.set(key);
  }

  protected onKeydown(event: KeyboardEvent): void {
    const row = rowOf(event.target);
    const move = row && !event.defaultPrevented ? readKey(event, row === event.target) : undefined;
    if (!row || !move) return;
    event.preventDefault();
    if (move.sort === 'within') {
      focusWithin(row, event.target, move.by);
      return;
    }
    const { key = '' } = row.dataset;
    runMove(move, {
      keys: this.rowKeys(),
      key,
      selection: this.selection,
      go: (to) => this.focusRow(to),
      open: () => row.querySelector<HTMLElement>('.name a')?.click(),
    });
    if (move.sort === 'none') this.focusRow(key);
  }

  private focusRow(key: string | null): void {
    if (key === null) return;
    this.current.set(key);
    this.rowElement(key)?.focus();
  }

  private rowElement(key: string): HTMLElement | null | undefined {
    return this.list()?.nativeElement.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  }

  private restorePlace(): void {
    const kept = this.place.take();
    if (kept) {
      this.order.set(kept.order);
      this.current.set(kept.current?.key ?? null);
      const { current } = kept;
      if (current) {
        this.place.afterScroll(() => {
          const row = this.rowElement(current.key);
          if (!row) return;
          window.scrollBy({ top: row.getBoundingClientRect().top - current.top, behavior: 'instant' });
          row.focus({ preventScroll: true });
        });
      }
    }
    let left: KeptPlace = { url: '', order: [], current: null };
    // Measured before the navigation: when the page is destroyed, its rows have no position.
    this.router.events
      .pipe(
        filter((event) => event instanceof NavigationStart),
        takeUntilDestroyed(),
      )
      .subscribe(() => (left = this.currentPlace()));
    inject(DestroyRef).onDestroy(() => this.place.leave(left));
  }

  private currentPlace(): KeptPlace {
    const key = this.current();
    const top = key === null ? undefined : this.rowElement(key)?.getBoundingClientRect().top;
    return {
      url: this.router.url,
      order: this.order() ?? [],
      current: key === null || top === undefined ? null : { key, top },
    };
  }
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-key]') : null;
}

function focusWithin(row: HTMLElement, from: EventTarget | null, by: number): void {
  const stops = [row, ...row.querySelectorAll<HTMLElement>('input, a, button')].filter(
    (element) => element === row || element.getClientRects().length > 0,
  );
  stops[rowAfter(stops.indexOf(from as HTMLElement), by, stops.length)]?.focus();
}
