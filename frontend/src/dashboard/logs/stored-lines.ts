import { computed, DestroyRef, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { Api } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { LogSourceDto } from '../../shared/api/api-types';
import { sameJson } from '../../shared/format/same-json';
import { type LogLine, MAX_LINE_LENGTH, microseconds, readLine, rfc3339 } from '../../shared/lines/log-line';
import { ClustersStore } from '../../shared/live/clusters-store';
import { apiResource, type ApiResource } from '../../shared/loading/api-resource';
import { filterParameters } from '../../shared/search/log-query';
import { PodLogQuery } from './pod-log-query';
import { PodLogReader } from './pod-log-reader';
import { MAX_ROWS } from './pod-log-rows';
import { containerOf, isOf } from './stored-source';

/** Lines or matches of a response. */
const PAGE = 1000;
/** Containers whose lines are searched, the newest ones: a request names each of them. */
const MAX_SOURCES = 500;
/** How often new and deleted Pods are looked for. */
const REFRESH_MS = 10_000;

/** `more` if the store may have older lines, `full` if the page holds no more of them. */
export type StoredState = 'idle' | 'loading' | 'more' | 'timeout' | 'full' | 'complete';

/**
 * The lines of a log that the log board has stored: those of deleted Pods, and those before the newest ones that the
 * cluster sent. They join the lines in memory while the reader scrolls up or searches.
 */
@Injectable()
export class StoredLines {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly run = inject(PodLogReader);
  private readonly search = inject(PodLogQuery);
  private readonly read: ApiResource<LogSourceDto[], object> = apiResource('/api/sources', undefined, {
    reloadOn: () => this.run.sources().size,
    refresh: { everyMs: REFRESH_MS, when: () => this.read.problem()?.code !== 'log_board_not_running' },
  });
  private readonly status = signal<StoredState>('idle');
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly all = computed(() => {
    const address = this.run.address();
    if (!address) return [];
    const pods = new Set([...this.run.sources().values()].map(({ pod }) => pod));
    const { created_at: created } = this.clusters.find(address.key.name, address.key.runtime) ?? {};
    // An earlier cluster may have had the name.
    const isPresent = ({ last_time: last }: LogSourceDto): boolean =>
      !last || !created || Date.parse(last) >= Date.parse(created);
    return (this.read.value() ?? []).filter((source) => isPresent(source) && isOf(source, address, pods));
  });
  /** The stored sources of the log, also those of deleted Pods. */
  readonly sources = computed(() =>
    this.all()
      .toSorted((one, other) => (other.last_time ?? '').localeCompare(one.last_time ?? ''))
      .slice(0, MAX_SOURCES),
  );
  /** How many sources are searched, if there are more. */
  readonly most = computed(() => (this.all().length > MAX_SOURCES ? MAX_SOURCES : null));
  readonly ids = computed(
    () =>
      this.sources()
        .map(({ id }) => id)
        .sort((one, other) => one - other),
    { equal: sameJson },
  );
  readonly isAvailable = computed(() => this.ids().length > 0);
  readonly state = this.status.asReadonly();
  /** Why no stored lines are shown; null if they are. */
  readonly problem = computed(() => this.read.problem() ?? this.failure());
  private reading: AbortController | undefined;
  /** Where the next page begins; undefined before the first one. */
  private before: string | undefined;
  private first = { from: [] as readonly number[], to: Infinity };

  constructor() {
    inject(DestroyRef).onDestroy(() => this.reading?.abort());
    effect(() => {
      const rows = this.run.rows();
      rows.history = { wanted: () => untracked(() => this.continue()), dropped: () => this.begin() };
      this.search.searched();
      this.isAvailable();
      this.run.isKnown();
      untracked(() => this.begin());
    });
  }

  /** Loads the next older lines that the query finds, if any. */
  async loadOlder(): Promise<void> {
    const isDone = ['loading', 'complete', 'full'].includes(this.status());
    if (isDone || !this.isAvailable() || !this.run.isKnown()) return;
    const rows = this.run.rows();
    const reading = new AbortController();
    this.reading = reading;
    this.status.set('loading');
    this.failure.set(null);
    try {
      if (this.before === undefined) this.first = this.start();
      const { from, to } = this.first;
      const query = this.search.searched();
      const page =
        from.length > 0 &&
        (await this.api.get(
          '/api/search',
          {
            ...filterParameters(query, from),
            ...(query.to === null && to !== Infinity && { to: rfc3339(to + 1) }),
            ...(this.before !== undefined && { before: this.before }),
            ...{ limit: PAGE, longest: MAX_LINE_LENGTH },
          },
          reading.signal,
        ));
      if (this.reading !== reading) return;
      if (page) rows.insert(this.run.joined(page.matches.flatMap((line) => this.presented(line))));
      this.before = (page && page.before) || undefined;
      if (!page || page.reason === 'complete') this.status.set('complete');
      else if (rows.storedCount >= MAX_ROWS) this.status.set('full');
      else this.status.set(page.reason === 'timeout' ? 'timeout' : 'more');
    } catch (error) {
      if (this.reading !== reading) return;
      this.failure.set(ApiProblem.of(error));
      this.status.set('timeout');
    }
  }

  /** The first row is visible. What failed or took too long is repeated by the reader only. */
  private continue(): void {
    if (['idle', 'more'].includes(this.status())) void this.loadOlder();
  }

  /** Forgets the stored lines. If there is a query or no line, they are read again at once. */
  private begin(): void {
    this.reading?.abort();
    this.reading = undefined;
    this.before = undefined;
    this.run.rows().forgetStored();
    this.failure.set(null);
    this.status.set('idle');
    if (this.search.isFiltering() || this.run.rows().total === 0) void this.loadOlder();
  }

  /** The sources with older lines than those that the cluster sent, and the end of the time in which they are. */
  private start(): { from: readonly number[]; to: number } {
    const oldest = this.run.rows().oldestTimes();
    const starts = this.sources().flatMap((source) => {
      const own = oldest.get(this.run.numberOf(source.name, containerOf(source)) ?? -1) ?? Infinity;
      const isOlder = source.first_time === null || microseconds(source.first_time) < own;
      return isOlder ? [{ id: source.id, own }] : [];
    });
    return { from: starts.map(({ id }) => id), to: Math.max(0, ...starts.map(({ own }) => own)) };
  }

  private presented(
    line: Parameters<typeof readLine>[0],
  ): { line: LogLine; pod: string; container: string }[] {
    const source = this.sources().find(({ id }) => id === line.source);
    return source ? [{ line: readLine(line), pod: source.name, container: containerOf(source) }] : [];
  }
}
