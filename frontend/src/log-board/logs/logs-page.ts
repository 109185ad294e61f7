import {
  afterNextRender,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  Injector,
  linkedSignal,
  signal,
  untracked,
  viewChild,
  viewChildren,
} from '@angular/core';
import { NgTemplateOutlet } from '@angular/common';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import type { LogSourceDto } from '../../shared/api/api-types';
import { formatCount, lineCount, newLineCount } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { Clock } from '../../shared/browser/clock';
import { isForPage, keyName } from '../../shared/ui/slash-focus';
import { MayChange } from '../../shared/session/may-change';
import { Toaster } from '../../shared/ui/toaster';
import { LogStoreState } from '../storage/log-store-state';
import { BoardConnection } from '../api/board-connection';
import { LineDetails } from './details/line-details';
import { HistogramBar } from '../../shared/histogram/histogram-bar';
import { LinePatterns } from '../../shared/groups/line-patterns';
import type { LinePlace, LogLine } from '../../shared/lines/log-line';
import { searchAddress } from '../search-model/line-address';
import { openLinkedLine } from './linked-line';
import { ColumnGrid } from './lines/column-grid';
import { LogView } from './lines/log-view';
import { SourceStyles } from './sources/source-styles';
import { shownColumns, whyMerged } from './lines/shown-columns';
import { ShownViews } from './lines/shown-views';
import { TimeForm } from './lines/time-form';
import { OptionsMenu } from './options/options-menu';
import { SearchActions } from './options/search-actions';
import { ViewOptions } from '../../shared/lines/view-options';
import { UI } from '../../shared/ui/ui';
import { SearchStatus } from './query/search-status';
import { LineNavigation, type Step } from './query/line-navigation';
import {
  isSameQuery,
  isSearch,
  type LogQuery,
  queryParameters,
  readPage,
  withoutFilter,
} from '../../shared/search/log-query';
import { ExcludingParts } from '../../shared/search/excluding-parts';
import { HiddenLines } from './query/hidden-lines';
import { QuickViews } from './query/quick-views';
import { QueryBar } from '../../shared/search/query-bar';
import { createQueryMarks } from '../../shared/search/query-marks';
import { SearchRun } from './query/search-run';
import { periodAt, slidingNow, untilNow } from '../../shared/search/sliding-now';
import { SelectedSources } from './tree/selected-sources';
import { LogSources } from './sources/log-sources';
import type { SourceSelection } from '../search-model/source-group';
import { EMPTY_SELECTION, selectionParameters } from '../search-model/source-selection';
import { TreeEdge } from './tree/tree-edge';
import { SourceTree } from './tree/source-tree';

/** So many sources differ in color. */
const MAX_COLORS = 8;

@Component({
  selector: 'sw-logs-page',
  imports: [
    UI,
    ColumnGrid,
    ExcludingParts,
    HiddenLines,
    SearchStatus,
    HistogramBar,
    LineDetails,
    LinePatterns,
    LogView,
    MayChange,
    NgTemplateOutlet,
    OptionsMenu,
    QueryBar,
    QuickViews,
    SourceTree,
    TimeForm,
    TreeEdge,
  ],
  templateUrl: './logs-page.html',
  styleUrl: './logs-page.scss',
  host: { class: 'surface', '[style.--tree.px]': 'options.tree()', '(document:keydown)': 'press($event)' },
})
export class LogsPage {
  private readonly injector = inject(Injector);
  private readonly router = inject(Router);
  private readonly toaster = inject(Toaster);
  protected readonly actions = inject(SearchActions);
  private readonly params = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  protected readonly connection = inject(BoardConnection);
  protected readonly sources = inject(LogSources);
  protected readonly options = inject(ViewOptions);
  protected readonly search = new SearchRun();
  private readonly styles = inject(SourceStyles);
  private readonly steps = inject(LineNavigation);
  private readonly logViews = viewChildren(LogView);
  protected readonly views = new ShownViews(this.logViews);
  private readonly sourcesButton = viewChild<ElementRef<HTMLElement>>('sourcesButton');

  /** On narrow screens, the tree covers the lines. */
  protected readonly treeShown = signal(false);
  protected readonly details = signal<LogLine | null>(null);
  protected readonly askingTime = signal(false);

  protected readonly selected = new SelectedSources(
    this.params,
    this.sources,
    computed(() => this.query().scope),
  );
  protected readonly ids = this.selected.readable;
  protected readonly address = computed(() => searchAddress(this.params()));
  protected readonly query = computed(() => readPage(this.params()), { equal: isSameQuery });
  /** The query without marks, which hide no lines. */
  protected readonly filter = computed(() => ({ ...this.query(), marks: [] }), { equal: isSameQuery });
  protected readonly isSearching = computed(() => isSearch(this.filter()));
  protected readonly all = linkedSignal({ source: this.filter, computation: () => false });
  protected readonly results = computed(() => (this.all() ? null : this.search.found()));
  protected readonly marks = createQueryMarks(this.query);
  /** The end of relative time ranges such as the last hour. */
  protected readonly now = slidingNow(inject(Clock).now, this.filter, this.views.following);
  protected readonly period = computed(() => periodAt(this.filter(), this.now()), { equal: sameJson });
  /** The query of the histogram: of the lines that are shown, up to now while they are live. */
  protected readonly counted = computed(
    () => untilNow(this.all() ? withoutFilter(this.filter()) : this.filter(), this.now()),
    { equal: isSameQuery },
  );
  protected readonly columns = shownColumns(
    this.selected.all,
    computed(() => this.results() !== null),
  );
  protected readonly merged = computed(() => whyMerged(this.selected.all().length, this.results() !== null));
  protected readonly detailsSource = computed(() => {
    const line = this.details();
    return line ? this.sources.byId()?.get(line.source) : undefined;
  });
  protected readonly link = computed(() => {
    const line = this.details();
    const source = this.detailsSource();
    if (!line || !source) return '';
    const queryParams = this.selected.lineAddress(source, line.seq);
    return this.router.serializeUrl(this.router.createUrlTree(['/logs'], { queryParams }));
  });
  protected readonly pauseLabel = computed(() =>
    this.views.following() ? $localize`Pause` : $localize`Resume`,
  );
  protected readonly formatCount = formatCount;
  /** New lines may arrive. */
  protected readonly isLive = computed(() => {
    const { to } = this.period();
    return !this.selected.isGone() && (to === null || to > this.now() * 1000);
  });
  protected readonly liveLabel = computed(() => {
    if (this.selected.isGone()) return $localize`Deleted`;
    if (!this.isLive()) return $localize`Past time range`;
    const unseen = this.views.unseen();
    if (!this.views.following()) {
      return unseen === 0 ? $localize`Paused` : $localize`Paused, ${newLineCount(unseen)}:lines:`;
    }
    const rate = Math.round(this.selected.all().reduce((sum, source) => sum + source.rate, 0));
    return rate === 0 ? $localize`Live` : $localize`Live, ${lineCount(rate)}:lines: per second`;
  });
  protected readonly sourcesLabel = computed(() =>
    this.selected.isEverything()
      ? $localize`Sources, all`
      : $localize`Sources, ${this.selected.ids().length}:count: selected`,
  );
  protected readonly showsPatterns = computed(() => this.params().get('pane') === 'patterns');
  /** The begin of new patterns, as `LinePatterns.since`. */
  protected readonly newSince = computed(() => this.params().get('new'));
  protected readonly hasSources = computed(() => this.selected.searched().length > 0);
  /** True until the sources are known, so that the lines do not move then. */
  protected readonly mayHaveSources = computed(() => this.hasSources() || this.sources.byId() === null);

  constructor() {
    this.connection.watch();
    effect(() => {
      const filter = this.filter();
      const ids = this.selected.searched();
      const isEverything = this.selected.isEverything();
      untracked(() => {
        if (isSearch(filter) && ids.length > 0) this.search.setQuery(filter, ids, isEverything);
        else this.search.clear();
      });
    });
    effect(() => {
      if (this.views.arrived() > 0 && this.isSearching()) {
        untracked(() => this.search.scheduleRefresh());
      }
    });
    effect(() => {
      const { from } = this.period();
      if (from !== null) untracked(() => this.search.slideTo(from));
    });
    effect(() => {
      const ids = this.ids();
      if (ids.length <= MAX_COLORS) untracked(() => this.styles.distinguish(ids));
    });
    this.searchOnRecovery(inject(LogStoreState));
    openLinkedLine(this.params, {
      sources: this.sources,
      views: this.views,
      leaveMatches: (source) => {
        if (this.results() !== null && this.ids().includes(source)) this.all.set(true);
      },
      goTo: (place) => this.goTo(place),
      open: (line) => this.details.set(line),
    });
  }

  protected select(selection: SourceSelection): void {
    const query = { ...this.query(), scope: this.selected.scopeFor(selection) };
    void this.go({ ...selectionParameters(selection), ...queryParameters(query), line: null });
  }

  protected selectOnly({ key }: LogSourceDto): void {
    this.select({ ...EMPTY_SELECTION, keys: [key] });
  }

  /** The history of a source was deleted. */
  protected reload(source: number): void {
    this.details.update((line) => (line?.source === source ? null : line));
    for (const view of this.views.all()) if (view.ids().includes(source)) view.reload();
    const searched = this.selected.searched();
    if (!this.isSearching() || !searched.includes(source)) return;
    void this.search.begin(this.filter(), searched, this.selected.isEverything());
  }

  protected change(query: LogQuery): void {
    void this.go({ ...queryParameters(query), line: null });
  }

  protected clearFilter(): void {
    this.change(withoutFilter(this.query()));
  }

  protected zoom(period: { from: string; to: string }): void {
    // Back undoes it.
    void this.go({ ...queryParameters({ ...this.query(), ...period }), line: null }, false);
  }

  protected showPatterns(shown: boolean): void {
    this.details.set(null);
    void this.go({ pane: shown ? 'patterns' : null, line: null });
  }

  protected showErrors(query: LogQuery): void {
    this.details.set(null);
    void this.go({ ...queryParameters(query), pane: 'patterns', line: null });
  }

  protected showNewSince(since: string | null): void {
    void this.go({ new: since, line: null });
  }

  protected showTree(shown: boolean): void {
    this.treeShown.set(shown);
    // The button is inert until the next rendering.
    if (!shown) void this.drawn().then(() => this.sourcesButton()?.nativeElement.focus());
  }

  protected close(): void {
    this.details.set(null);
    this.toLines();
  }

  protected toLines(): void {
    this.views.current()?.focus();
  }

  /** Shows a line among all lines; the filter stays in the address. */
  protected async goTo(place: LinePlace): Promise<LogLine | null> {
    await this.showAll();
    const view = this.views.of(place.source);
    try {
      const line = (await view?.goToLine(place)) ?? null;
      if (line !== 'outside') return line;
      const run = (): void => void this.openAtAnyTime(place);
      this.toaster.failed($localize`Line not shown`, $localize`It is outside the selected time range.`, {
        text: $localize`Clear time range`,
        run,
      });
    } catch (error) {
      this.toaster.problem(error, $localize`Could not show the line`);
    }
    return null;
  }

  private async openAtAnyTime(place: LinePlace): Promise<void> {
    await this.go(queryParameters({ ...this.query(), from: null, to: null }));
    await this.drawn();
    this.details.set(await this.goTo(place));
  }

  private async showAll(): Promise<void> {
    if (this.results() === null) return;
    this.all.set(true);
    await this.drawn();
  }

  private drawn(): Promise<void> {
    return new Promise<void>((resolve) => afterNextRender(() => resolve(), { injector: this.injector }));
  }

  protected async walk(direction: 1 | -1): Promise<void> {
    const view = this.views.current();
    const found = this.search.found();
    if (!found) await this.land(this.steps.toMark(this.query(), this.stepFrom(direction)));
    else if (this.all()) await this.land(this.steps.toMatch(this.filter(), this.stepFrom(direction)));
    else if (view) {
      const from = view.currentLine();
      let at = found.next(from, direction);
      if (at === null && direction < 0 && (await this.search.loadOlder())) at = found.next(from, direction);
      if (at !== null) view.goToRow(at);
    }
  }

  private toError(direction: 1 | -1): Promise<void> {
    return this.land(this.steps.toError(this.query(), this.stepFrom(direction)));
  }

  private stepFrom(direction: 1 | -1): Step {
    const view = this.views.current();
    // Side by side, within the focused column.
    const sources = this.columns().length > 0 ? (view?.ids() ?? []) : this.selected.scope();
    return { sources, from: view?.currentLine() ?? null, direction };
  }

  private async land(step: Promise<LogLine | null>): Promise<void> {
    const line = await step;
    if (line) await this.goTo(line);
  }

  /** @param time in microseconds */
  protected async goToTime(time: number): Promise<void> {
    this.askingTime.set(false);
    await this.showAll();
    await this.toaster.attempt($localize`Could not show the time`, () =>
      Promise.all(this.views.all().map((view) => view.goToTime(time))),
    );
    this.toLines();
  }

  protected press(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // An overlay may have handled it.
      if (!event.defaultPrevented) this.escape();
      return;
    }
    if (!isForPage(event)) return;
    const actions: Readonly<Record<string, () => unknown>> = {
      n: () => this.walk(1),
      N: () => this.walk(-1),
      e: () => this.toError(1),
      E: () => this.toError(-1),
      f: () => this.views.toggleFollowing(),
      w: () => this.options.wrap.update((on) => !on),
      g: () => this.askingTime.set(true),
    };
    const name = keyName(event);
    // In the tree, letters go to the next source with this initial.
    const isForTree = /^[a-z]$/i.test(name) && (event.target as Element).closest('[role=tree]') !== null;
    const action = actions[name];
    if (!action || isForTree) return;
    event.preventDefault();
    void action();
  }

  private escape(): void {
    if (this.askingTime()) this.askingTime.set(false);
    else if (this.treeShown()) this.showTree(false);
    else if (this.details()) this.close();
  }

  private searchOnRecovery(store: LogStoreState): void {
    effect(() => {
      if (store.health()?.state !== 'ok') return;
      untracked(() => {
        if (this.search.problem()?.code === 'storage_unavailable') this.search.retry();
      });
    });
  }

  private async go(queryParams: Record<string, string | string[] | null>, replaceUrl = true): Promise<void> {
    const changed = { at: null, ...queryParams };
    await this.router.navigate([], { queryParams: changed, queryParamsHandling: 'merge', replaceUrl });
  }
}
