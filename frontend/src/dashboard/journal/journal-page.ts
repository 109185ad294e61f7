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
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router, RouterLink } from '@angular/router';
import { formatClock, formatDuration, formatFull } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { ClustersStore } from '../../shared/live/clusters-store';
import { onJournalChange } from '../../shared/live/journal-changes';
import { Icon } from '../../shared/ui/icon';
import { Notice } from '../../shared/ui/notice';
import { Placeholder } from '../../shared/ui/placeholder';
import { SkeletonRows } from '../../shared/ui/skeleton-rows';
import { SlashFocus } from '../../shared/ui/slash-focus';
import { State } from '../../shared/ui/state';
import { STATE_STYLES } from '../../shared/ui/state-styles';
import { ExportMenu } from './export-menu';
import { actorChoices, actorText, readActor, shownActor } from './journal-actor';
import {
  groupByDay,
  isFiltered,
  isInverted,
  kindChoices,
  kindLabels,
  type JournalView,
  OUTCOMES,
  PAGE_SIZES,
  pageNumbers,
  readDay,
  readView,
  viewParams,
  WHOLE_JOURNAL,
} from './journal-address';
import { choiceValue, clusterChoices, readChoice, sharedNames } from './journal-clusters';
import { JournalReader } from './journal-reader';

/** Rest after the last key before the text is looked for. */
const TYPING_MS = 250;

/** What happened, newest first. New entries are announced, and come when one asks for them. */
@Component({
  selector: 'sw-journal-page',
  imports: [RouterLink, ExportMenu, Icon, Notice, Placeholder, SkeletonRows, SlashFocus, State],
  providers: [JournalReader],
  templateUrl: './journal-page.html',
  styleUrl: './journal-page.scss',
})
export class JournalPage {
  private readonly router = inject(Router);
  private readonly route = inject(ActivatedRoute);
  private readonly clock = inject(Clock);
  private readonly reader = inject(JournalReader);
  private readonly clusters = inject(ClustersStore);
  private readonly finder = viewChild.required<ElementRef<HTMLInputElement>>('finder');
  private readonly params = toSignal(this.route.queryParamMap, { requireSync: true });
  private typing: ReturnType<typeof setTimeout> | undefined;

  protected readonly view = computed(() => readView((name) => this.params().get(name)), {
    equal: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  });
  protected readonly shown = this.reader.shown;
  protected readonly problem = this.reader.problem;
  protected readonly loading = this.reader.loading;
  protected readonly fresh = this.reader.fresh;
  protected readonly filtered = computed(() => isFiltered(this.view()));
  protected readonly inverted = computed(() => isInverted(this.view()));
  /** Days change at midnight only; the clock ticks each second. */
  private readonly today = computed(() => new Date(this.clock.now()).setHours(0, 0, 0, 0));
  protected readonly days = computed(() => groupByDay(this.shown()?.entries ?? [], this.today()));
  protected readonly numbers = computed(() => {
    const page = this.shown();
    return page ? pageNumbers(page.page, page.total_pages) : [];
  });
  protected readonly range = computed(() => {
    const page = this.shown();
    if (!page || page.entries.length === 0) return '';
    return `${page.offset + 1} to ${page.offset + page.entries.length} of ${page.total}`;
  });
  private readonly known = computed(() => [
    ...this.clusters.clusters(),
    ...(this.shown()?.entries ?? []).flatMap(({ cluster, runtime }) =>
      cluster === null ? [] : { name: cluster, runtime },
    ),
  ]);
  protected readonly clusterChoices = computed(() => clusterChoices(this.known(), this.view()));
  protected readonly chosenCluster = computed(() => choiceValue(this.view()));
  private readonly shared = computed(() => sharedNames(this.known()));
  protected readonly kinds = computed(() => {
    const seen = (this.shown()?.entries ?? []).map(({ kind }) => kind);
    return kindChoices([...seen, this.view().kind]);
  });
  protected readonly outcomes = OUTCOMES;
  protected readonly sizes = PAGE_SIZES;
  protected readonly actors = computed(() => actorChoices(this.shown()?.entries ?? []));
  protected readonly text = signal('');
  protected readonly actorText = actorText;
  protected readonly shownActor = shownActor;
  protected readonly kindWord = kindLabels;
  protected readonly clockTime = formatClock;
  protected readonly full = formatFull;
  protected readonly duration = formatDuration;

  constructor() {
    this.clusters.live.watch();
    effect(() => {
      const view = this.view();
      untracked(() => {
        this.text.set(view.text);
        void this.reader.open(view);
      });
    });
    onJournalChange(() => void this.reader.look());
    inject(DestroyRef).onDestroy(() => clearTimeout(this.typing));
  }

  protected outcomeWord(outcome: (typeof OUTCOMES)[number]): string {
    return outcome === 'started' ? 'Under way' : STATE_STYLES[outcome].word;
  }

  /** Whether two engines hold a cluster of this name. */
  protected isShared(cluster: string): boolean {
    return this.shared().has(cluster);
  }

  /** The address of the same journal, changed; any other filter begins at its first page. */
  protected address(change: Partial<JournalView>): Record<string, string | number | null> {
    return viewParams({ ...this.view(), page: 1, ...change });
  }

  protected choose(field: 'cluster' | 'kind' | 'size', event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    if (field === 'size') void this.go({ size: Number(value) });
    else void this.go(field === 'cluster' ? readChoice(value) : { kind: value });
  }

  protected type(event: Event): void {
    const { value } = event.target as HTMLInputElement;
    this.text.set(value);
    clearTimeout(this.typing);
    this.typing = setTimeout(() => void this.go({ text: value.trim() }, true), TYPING_MS);
  }

  /** What is chosen or cleared is looked for at once; what is typed once it is done. */
  protected typeActor(event: Event): void {
    const { value } = event.target as HTMLInputElement;
    if (event.type === 'input' && value !== '' && !this.actors().includes(value)) return;
    void this.go({ actor: readActor(value) });
  }

  protected chooseDay(field: 'since' | 'until', event: Event): void {
    const { value } = event.target as HTMLInputElement;
    if (value === '' || readDay(value) !== '') void this.go({ [field]: value });
  }

  protected clearFilter(): void {
    clearTimeout(this.typing);
    void this.go({ ...WHOLE_JOURNAL, size: this.view().size });
    this.finder().nativeElement.focus();
  }

  protected async showFresh(): Promise<void> {
    if (this.view().page === 1) await this.reader.open(this.view());
    else await this.go({ page: 1 });
  }

  protected tryAgain(): void {
    void this.reader.open(this.view());
  }

  private async go(change: Partial<JournalView>, replaceUrl = false): Promise<void> {
    await this.router.navigate([], { queryParams: this.address(change), replaceUrl });
  }
}
