import {
  Component,
  computed,
  effect,
  inject,
  input,
  linkedSignal,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { Api } from '../../shared/api/api';
import type { WorkloadLogSource } from '../../shared/api/api-types';
import { formatCount, lineCount } from '../../shared/format/format';
import { Clock } from '../../shared/browser/clock';
import { LinePatterns } from '../../shared/groups/line-patterns';
import { HistogramBar } from '../../shared/histogram/histogram-bar';
import { readRows } from '../../shared/lines/copy-rows';
import { LineList } from '../../shared/lines/line-list';
import type { SourceStyle } from '../../shared/lines/line-style';
import type { LogLine } from '../../shared/lines/log-line';
import { ViewOptions } from '../../shared/lines/view-options';
import { COUNT_LINES, ExcludingParts } from '../../shared/search/excluding-parts';
import { ExportLines } from '../../shared/search/export-lines';
import { EMPTY_QUERY, type LogQuery } from '../../shared/search/log-query';
import { QueryBar } from '../../shared/search/query-bar';
import { type CompletionRequest, FIND_COMPLETIONS } from '../../shared/search/query-completions';
import { type ViewAction, ViewMenu, type ViewSwitch } from '../../shared/search/view-menu';
import { Toaster } from '../../shared/ui/toaster';
import { isForPage } from '../../shared/ui/slash-focus';
import { saveFile } from '../../shared/ui/save-file';
import { UI } from '../../shared/ui/ui';
import { OlderLines } from './older-lines';
import { PodLogLine } from './pod-log-line';
import { PodLogQuery } from './pod-log-query';
import { PodLogReader } from './pod-log-reader';
import { StoredLogsApi } from './stored-logs-api';
import { StoredLines } from './stored-lines';

/** As many as there are source colors. */
const HUES = 8;
/** How often the histogram counts new lines. */
const COUNT_MS = 10_000;
/** Containers that are not read and are named. */
const MAX_NOTES = 3;

/** The lines of a reader with search, levels and download; projects the choice of the log. */
@Component({
  selector: 'sw-log-pane',
  imports: [
    ExcludingParts,
    HistogramBar,
    LineList,
    LinePatterns,
    OlderLines,
    PodLogLine,
    QueryBar,
    UI,
    ViewMenu,
  ],
  providers: [
    ExportLines,
    PodLogQuery,
    StoredLines,
    { provide: Api, useClass: StoredLogsApi },
    {
      provide: FIND_COMPLETIONS,
      useFactory: () => {
        const search = inject(PodLogQuery);
        return (request: CompletionRequest) => Promise.resolve(search.complete(request));
      },
    },
    {
      provide: COUNT_LINES,
      useFactory: () => {
        const search = inject(PodLogQuery);
        return (query: LogQuery) => search.count(query);
      },
    },
  ],
  host: {
    class: 'flex-column fill',
    '(keydown.escape)': 'escape($event)',
    '(keydown./)': 'toSearch($event)',
  },
  template: `
    <div class="pad flow tight line-below sm">
      <sw-query-bar
        class="narrow"
        [query]="search.current()"
        [streams]="false"
        (changed)="search.set($event)"
        (left)="list()?.focus()"
      />
      <ng-content />
      @if (stored.isAvailable()) {
        <button
          i18n
          data-local
          class="btn small"
          [attr.aria-pressed]="patterns()"
          (click)="patterns.set(!patterns())"
        >
          Patterns
        </button>
      }
      <sw-view-menu [small]="true" [switches]="switches()" [actions]="actions()" />
      @if (search.isFiltering()) {
        <span i18n class="muted xs" role="status"
          >{{ formatCount(count()) }} of {{ lineCount(total()) }}</span
        >
      }
      @if (run.state() === 'open') {
        <button data-local class="btn small quiet end" [title]="followTitle()" (click)="follow()">
          <sw-state [state]="following() ? 'running' : 'paused'" [silent]="true" />{{ followLabel() }}
        </button>
      }
    </div>
    @if (search.problem(); as problem) {
      <p class="panel-note xs error-text" role="alert">{{ problem }}</p>
    }
    @if (stored.isAvailable() && options.histogram()) {
      <sw-histogram
        [query]="search.searched()"
        [sources]="stored.ids()"
        [version]="counting()"
        (period)="zoom($event)"
      />
    }
    <sw-older-lines [merged]="merged()" />
    @for (note of notes(); track note) {
      <p class="panel-note xs muted cut" [title]="note">{{ note }}</p>
    }
    @if (run.state() === 'failed' && total() === 0) {
      <sw-load-error
        heading="Could not load the log"
        i18n-heading
        [message]="run.problem()?.message"
        (retry)="reload.emit()"
      />
    } @else if (run.state() === 'opening' || (merged() && !run.pods())) {
      <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
    } @else if (count() === 0 && stored.state() === 'loading') {
      <sw-skeleton-rows label="Searching stored lines" i18n-label [height]="22" />
    } @else if (count() === 0 && total() > 0) {
      <sw-placeholder heading="No matches" i18n-heading>
        <ng-container i18n>No match in {{ lineCount(total()) }}.</ng-container>
        <sw-excluding-parts [query]="search.current()" [scope]="null" (changed)="search.set($event)" />
        <button i18n action data-local class="btn" (click)="clear()">Clear filter</button>
      </sw-placeholder>
    } @else if (run.pods()?.count === 0 && total() === 0) {
      <sw-placeholder i18n heading="No Pods" i18n-heading>
        {{ name() | swRaw }} has no Pods. The lines of new Pods appear here.
      </sw-placeholder>
    } @else if (total() === 0) {
      <sw-placeholder i18n heading="No log lines" i18n-heading>
        {run.state(), select, ended {The container has terminated.} other {New lines appear here.}}
      </sw-placeholder>
    } @else {
      <sw-line-list
        class="fill"
        [rows]="run.rows()"
        [label]="label()"
        [sourceStyle]="sourceStyle()"
        [marks]="search.marks()"
        [wrap]="options.wrap()"
        [structured]="!options.raw()"
        [time]="options.time()"
        [times]="options.times()"
        [size]="options.size()"
        [mixed]="merged()"
        [growing]="run.state() === 'open'"
        (opened)="opened.set($event)"
      />
      @if (opened(); as line) {
        <sw-pod-log-line
          [line]="line"
          [whole]="run.whole(line)"
          [stored]="run.storedAt(line)"
          [isUtc]="options.time() === 'utc'"
          [query]="search.current()"
          [marks]="search.marks()"
          (changed)="search.set($event)"
          (closed)="close()"
        />
      }
      @if (ending(); as text) {
        <p class="panel-note" role="status">
          {{ text }}
          <button i18n class="link" (click)="reload.emit()">Reload</button>
        </p>
      }
    }
    @if (patterns() && stored.isAvailable()) {
      <sw-line-patterns
        class="line-above surface"
        [query]="search.searched()"
        [scope]="stored.ids()"
        [sources]="stored.sources()"
        [since]="since()"
        (sinceChanged)="since.set($event)"
        (changed)="search.set($event)"
        (closed)="patterns.set(false)"
      />
    }
  `,
  styles: `
    .panel-note,
    sw-histogram {
      flex: none;
    }
    .panel-note {
      padding-block: 6px;
    }
    sw-line-patterns {
      flex: none;
      height: 45%;
    }
    @media (width <= 720px) {
      :host:has(sw-line-patterns) sw-histogram {
        display: none;
      }
    }
  `,
})
export class LogPane {
  protected readonly run = inject(PodLogReader);
  protected readonly options = inject(ViewOptions);
  readonly label = input.required<string>();
  /** Of the Pod and container, or of the workload. */
  readonly name = input.required<string>();
  /** Lines show their Pods. */
  readonly merged = input(false);
  /** Why a log that has ended does not continue. */
  readonly endText = input($localize`The container has terminated.`);
  readonly reload = output();

  protected readonly search = inject(PodLogQuery);
  protected readonly stored = inject(StoredLines);
  protected readonly patterns = signal(false);
  protected readonly since = signal<string | null>(null);
  private readonly exports = inject(ExportLines);
  private readonly toaster = inject(Toaster);
  private readonly clock = inject(Clock).now;
  protected readonly switches = computed<readonly ViewSwitch[]>(() => [
    { text: $localize`Timestamps`, value: this.options.times },
    { text: $localize`Wrap long lines`, value: this.options.wrap },
    { text: $localize`Raw lines`, value: this.options.raw },
    ...(this.stored.isAvailable()
      ? [{ text: $localize`Line histogram`, value: this.options.histogram }]
      : []),
  ]);
  protected readonly actions = computed<ViewAction[][]>(() => {
    const icon = 'download';
    const text = $localize`Download as text`;
    const shown =
      this.count() === 0 ? [] : [{ text, icon, isLocal: true, run: () => this.download() } as const];
    const all = { text: $localize`Download stored lines`, icon, run: () => this.downloadStored() } as const;
    const actions = this.stored.isAvailable() ? [...shown, all] : shown;
    return actions.length === 0 ? [] : [actions];
  });
  protected readonly formatCount = formatCount;
  protected readonly lineCount = lineCount;
  protected readonly opened = linkedSignal<unknown, LogLine | null>({
    source: this.run.rows,
    computation: () => null,
  });
  protected readonly list = viewChild(LineList);
  private readonly bar = viewChild.required(QueryBar);
  protected readonly count = computed(() => {
    const rows = this.run.rows();
    rows.version();
    return rows.end - rows.first;
  });
  protected readonly total = computed(() => {
    const rows = this.run.rows();
    rows.version();
    return rows.total;
  });
  protected readonly following = computed(() => this.list()?.following() ?? true);
  protected readonly followLabel = computed(() => {
    // A list that was not drawn yet follows, and has no inputs yet.
    if (this.following()) return $localize`Following`;
    const unseen = this.list()?.unseen() ?? 0;
    return unseen === 0 ? $localize`Paused` : $localize`Paused, ${formatCount(unseen)}:count: new`;
  });
  protected readonly followTitle = computed(() => (this.following() ? $localize`Pause` : $localize`Resume`));
  /** Says which lines are missing. */
  protected readonly notes = computed(() => {
    const out = [...this.run.sources().values()].filter(({ gone }) => !gone).flatMap(noteOf);
    const notes = out.slice(0, MAX_NOTES);
    const more = out.length - notes.length;
    if (more > 0) notes.push($localize`Other containers that do not run: ${formatCount(more)}:count:`);
    const pods = this.run.pods();
    if (pods && pods.count > pods.followed) {
      notes.push(
        $localize`${formatCount(pods.followed)}:followed: of ${formatCount(pods.count)}:count: Pods are followed. Choose another Pod to read its log.`,
      );
    }
    const omitted = this.run.leftOut();
    if (omitted > 0) {
      notes.push($localize`${formatCount(omitted)}:count: older lines were omitted because of their size.`);
    }
    return notes;
  });
  /** Why no more lines arrive; null while following. */
  protected readonly ending = computed(() => {
    if (this.run.state() === 'failed') return this.run.problem()?.message ?? null;
    return this.run.state() === 'ended' ? this.endText() : null;
  });
  protected readonly sourceStyle = computed(() => {
    const sources = this.run.sources();
    return (id: number): SourceStyle => {
      const source = sources.get(id);
      const title = source ? `${source.pod}/${source.container}` : this.name();
      return { name: source ? shortName(source) : title, title, hue: (id % HUES) + 1 };
    };
  });

  constructor() {
    effect(() => this.search.following.set(this.following()));
  }

  /** Of the histogram: new lines are counted while they are followed. */
  protected readonly counting = computed(() => (this.following() ? Math.floor(this.clock() / COUNT_MS) : 0));
  protected zoom(period: { from: string; to: string }): void {
    // Back undoes it.
    this.search.set({ ...this.search.current(), ...period }, 'history');
  }

  private downloadStored(): void {
    const file = { format: 'text', gzip: false } as const;
    void this.toaster.attempt($localize`Could not download`, () =>
      this.exports.save(this.search.searched(), this.stored.ids(), file),
    );
  }

  protected clear(): void {
    this.search.set(EMPTY_QUERY);
    this.bar().focus();
  }

  protected follow(): void {
    if (this.following()) this.list()?.unfollow();
    else this.list()?.follow();
  }

  protected close(): void {
    this.opened.set(null);
    this.list()?.focus();
  }

  /** The rows, with their times and sources. */
  protected download(): void {
    const rows = this.run.rows();
    if (this.count() === 0) return;
    const styleOf = this.sourceStyle();
    const nameOf = this.merged() ? (source: number): string => styleOf(source).title : null;
    const { text } = readRows(rows, rows.first, rows.end - 1, nameOf, Infinity);
    saveFile(`${text}\n`, `${this.name()}.log`, 'text/plain');
  }

  /** Inside the log, the key is not for the field of the page. */
  protected toSearch(event: Event): void {
    if (!isForPage(event as KeyboardEvent)) return;
    event.preventDefault();
    event.stopPropagation();
    this.bar().focus();
  }

  /** The search field leaves itself; then closes the open line; the next Esc closes the panel. */
  protected escape(event: Event): void {
    const isSearch = event.target instanceof HTMLInputElement;
    if (!isSearch && !this.opened()) return;
    event.stopPropagation();
    if (!isSearch) this.close();
  }
}

/** `x2x7k` of `web-6d4cf56db6-x2x7k`, but `postgres-0` as it is. */
function shortName({ pod, container, shared }: WorkloadLogSource): string {
  const suffix = /-([a-z0-9]{5})$/.exec(pod)?.[1] ?? pod;
  return shared ? `${suffix}/${container}` : suffix;
}

function noteOf({ pod, container, waiting, problem }: WorkloadLogSource): string[] {
  const reason = problem ?? waiting;
  return reason === null ? [] : [`${pod}/${container}: ${reason}`];
}
