import { Component, computed, DestroyRef, effect, inject, signal, untracked, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { formatClock, formatDuration, formatFull, plural } from '../../shared/format/format';
import { sameJson } from '../../shared/format/same-json';
import { Clock } from '../../shared/browser/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { onJournalChange } from '../../shared/live/journal-changes';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import { SearchField } from '../../shared/ui/search-field';
import { typedText } from '../../shared/ui/typed-text';
import { UI } from '../../shared/ui/ui';
import { DayField } from './day-field';
import { ExportMenu } from './export-menu';
import { actorChoices, actorText, readActor, shownActor } from './journal-actor';
import {
  groupByDay,
  isFiltered,
  isInverted,
  type JournalView,
  kindChoices,
  kindLabel,
  OUTCOMES,
  PAGE_SIZES,
  pageNumbers,
  readView,
  viewParams,
  WHOLE_JOURNAL,
} from './journal-address';
import { choiceValue, clusterChoices, readChoice, sharedNames } from './journal-clusters';
import { JournalDiff } from './journal-diff';
import { groupTitle } from './journal-groups';
import { JournalMembers } from './journal-members';
import { JournalReader } from './journal-reader';

const TYPING_MS = 250;

@Component({
  selector: 'sw-journal-page',
  imports: [DayField, ExportMenu, JournalDiff, JournalMembers, RouterLink, UI],
  providers: [JournalReader],
  templateUrl: './journal-page.html',
  styleUrl: './journal-page.scss',
})
export class JournalPage {
  private readonly router = inject(Router);
  private readonly route = inject(ActivatedRoute);
  private readonly clock = inject(Clock);
  protected readonly reader = inject(JournalReader);
  private readonly clusters = inject(ClustersStore);
  private readonly finder = viewChild.required(SearchField);
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });
  private typing: ReturnType<typeof setTimeout> | undefined;

  protected readonly view = computed(() => readView((name) => this.params().get(name)), { equal: sameJson });
  protected readonly shown = this.reader.shown;
  protected readonly newer = computed(() => {
    const count = this.reader.fresh();
    return count === 0
      ? ''
      : plural(count, (n) => ({
          one: $localize`${n}:count: new entry`,
          other: $localize`${n}:count: new entries`,
        }));
  });
  protected readonly filtered = computed(() => isFiltered(this.view()));
  protected readonly inverted = computed(() => isInverted(this.view()));
  /** Changes at midnight only, unlike the clock. */
  private readonly today = computed(() => new Date(this.clock.now()).setHours(0, 0, 0, 0));
  protected readonly days = computed(() => groupByDay(this.shown()?.entries ?? [], this.today()));
  protected readonly numbers = computed(() => {
    const page = this.shown();
    return page ? pageNumbers(page.page, page.total_pages) : [];
  });
  protected readonly range = computed(() => {
    const page = this.shown();
    if (!page || page.entries.length === 0) return '';
    const last = page.offset + page.entries.length;
    return $localize`${page.offset + 1}:first: to ${last}:last: of ${page.total}:total:`;
  });
  private readonly known = computed(() => [
    ...this.clusters.clusters(),
    ...(this.shown()?.entries ?? []).flatMap(({ cluster, runtime }) =>
      cluster === null ? [] : { name: cluster, runtime },
    ),
  ]);
  protected readonly clusterChoices = computed(() => clusterChoices(this.known(), this.view()));
  protected readonly chosenCluster = computed(() => choiceValue(this.view()));
  protected readonly shared = computed(() => sharedNames(this.known()));
  protected readonly kinds = computed(() => {
    const seen = (this.shown()?.entries ?? []).map(({ kind }) => kind);
    return kindChoices([...seen, this.view().kind]);
  });
  protected readonly outcomes = OUTCOMES;
  protected readonly pageSizes = PAGE_SIZES;
  protected readonly otherKinds = $localize`General`;
  protected readonly period = [
    { field: 'since', label: $localize`From` },
    { field: 'until', label: $localize`To` },
  ] as const;
  protected readonly readChoice = readChoice;
  protected readonly actors = computed(() => actorChoices(this.shown()?.entries ?? []));
  protected readonly text = typedText(() => this.view().text);
  /** Ids of the entries that are open. */
  protected readonly open = signal<ReadonlySet<number>>(new Set());
  protected readonly groupTitle = groupTitle;
  protected readonly actorText = actorText;
  protected readonly shownActor = shownActor;
  protected readonly kindLabel = kindLabel;
  protected readonly clockTime = formatClock;
  protected readonly full = formatFull;
  protected readonly duration = formatDuration;

  constructor() {
    this.clusters.live.watch();
    effect(() => {
      const view = this.view();
      untracked(() => void this.reader.open(view));
    });
    onJournalChange(() => void this.reader.update());
    inject(DestroyRef).onDestroy(() => clearTimeout(this.typing));
  }

  protected outcomeLabel(outcome: (typeof OUTCOMES)[number]): string {
    return outcome === 'started' ? $localize`In progress` : STATE_STYLES[outcome].word;
  }

  /** Query parameters of a changed view, on its first page by default. */
  protected address(change: Partial<JournalView>): Record<string, string | number | null> {
    return viewParams({ ...this.view(), page: 1, ...change });
  }

  protected type(text: string): void {
    this.text.set(text);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.go({ text: text.trim() }, true), TYPING_MS);
  }

  /** A suggestion or an empty field applies immediately; typed text on Enter or blur. */
  protected typeActor(value: string, isFinal: boolean): void {
    if (isFinal || value === '' || this.actors().includes(value)) void this.go({ actor: readActor(value) });
  }

  protected toggle(id: number): void {
    this.open.update(
      (open) => new Set([...open].filter((each) => each !== id).concat(open.has(id) ? [] : id)),
    );
  }

  protected chooseDay(field: 'since' | 'until', day: string): void {
    void this.go({ [field]: day });
  }

  protected clearFilter(): void {
    clearTimeout(this.typing);
    this.text.set('');
    void this.go({ ...WHOLE_JOURNAL, size: this.view().size });
    this.finder().focus();
  }

  protected async showNewer(): Promise<void> {
    if (this.view().page === 1) await this.reader.open(this.view());
    else await this.go({ page: 1 });
  }

  protected async go(change: Partial<JournalView>, replaceUrl = false): Promise<void> {
    await this.router.navigate([], { queryParams: this.address(change), replaceUrl });
  }
}
