import {
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { formatAgo } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { StatsStore } from '../../shared/live/stats-store';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { SlashFocus } from '../../shared/ui/slash-focus';
import type { ClusterDto } from '../../shared/api/api-types';
import { CreateCluster } from '../create/create-cluster';
import {
  countGroups,
  GROUPS,
  GROUP_WORDS,
  type Group,
  inOrder,
  keyOf,
  matches,
  nearestName,
  type SortKey,
  sortedKeys,
  type Usage,
  usageOf,
} from './cluster-rows';
import { ClusterRow } from './cluster-row';
import { EngineNotices } from './engine-notices';
import { FirstCluster } from './first-cluster';
import { MachineFigures } from './machine-figures';

/** All clusters of all engines, live. */
@Component({
  selector: 'sw-clusters-page',
  imports: [
    ClusterRow,
    EngineNotices,
    FirstCluster,
    Icon,
    MachineFigures,
    Notice,
    Placeholder,
    RouterLink,
    SkeletonRows,
    SlashFocus,
  ],
  templateUrl: './clusters-page.html',
  styleUrl: './clusters-page.scss',
})
export class ClustersPage {
  private readonly clock = inject(Clock);
  private readonly create = inject(CreateCluster);
  private readonly route = inject(ActivatedRoute);
  private readonly router = inject(Router);
  private readonly filterField = viewChild<ElementRef<HTMLInputElement>>('filter');
  private readonly order = signal<readonly string[] | null>(null);
  protected readonly store = inject(ClustersStore);
  protected readonly jobs = inject(JobsStore);
  protected readonly stats = inject(StatsStore);

  protected readonly text = signal(this.route.snapshot.queryParamMap.get('filter') ?? '');
  protected readonly group = signal<Group>('all');
  protected readonly sort = signal<SortKey>('state');
  protected readonly groups = GROUPS;
  protected readonly groupWords = GROUP_WORDS;
  protected readonly keyOf = keyOf;

  protected readonly counts = computed(() => countGroups(this.store.clusters()));
  protected readonly isEmpty = computed(
    () => this.store.live.value() !== undefined && this.store.clusters().length === 0,
  );
  protected readonly rows = computed(() =>
    inOrder(
      this.store.clusters().filter((cluster) => matches(cluster, this.text().trim(), this.group())),
      this.order() ?? [],
    ),
  );
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
  protected readonly nothingFound = computed(() => {
    const text = this.text().trim();
    const named = text === '' ? '' : ` “${text}”`;
    return `No cluster matches${named}${this.group() === 'all' ? '' : ` among ${GROUP_WORDS[this.group()].toLowerCase()}`}`;
  });
  protected readonly staleSince = computed(() => {
    const known = this.store.live.knownAt();
    return known === null ? '' : formatAgo(known, this.clock.now());
  });

  constructor() {
    this.store.live.watch();
    this.jobs.live.watch();
    this.stats.live.watch();
    // The order is taken once the first list is here, and then only when asked for.
    effect(() => {
      if (this.store.live.value() !== undefined && untracked(this.order) === null) {
        untracked(() => this.sortBy('state'));
      }
    });
  }

  protected usage(cluster: ClusterDto): Usage | undefined {
    return this.usages().get(keyOf(cluster));
  }

  protected sortBy(key: SortKey): void {
    this.sort.set(key);
    this.order.set(sortedKeys(this.store.clusters(), key, (cluster) => this.usage(cluster)));
  }

  protected filterBy(text: string): void {
    this.text.set(text);
    void this.router.navigate([], {
      queryParams: { filter: text.trim() === '' ? null : text.trim() },
      queryParamsHandling: 'merge',
      replaceUrl: true,
    });
  }

  protected clearFilter(): void {
    this.group.set('all');
    this.filterBy('');
    this.filterField()?.nativeElement.focus();
  }

  protected openCreate(): void {
    void this.create.open();
  }
}
