import { Component, computed, inject, signal, viewChild } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { Placeholder } from '../../shared/ui/placeholder';
import { BoardConnection } from './board-connection';
import { LogView } from './lines/log-view';
import { LogSources } from './tree/log-sources';
import { choiceParameters, isChosen, readChoice } from './tree/source-choice';
import { SourceTree } from './tree/source-tree';

/** The page of the logs: every source, and the lines of those that are chosen. */
@Component({
  selector: 'sw-logs-page',
  imports: [LogView, Placeholder, SourceTree],
  templateUrl: './logs-page.html',
  styleUrl: './logs-page.scss',
})
export class LogsPage {
  private readonly router = inject(Router);
  private readonly params = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  protected readonly connection = inject(BoardConnection);
  protected readonly sources = inject(LogSources);
  protected readonly view = viewChild(LogView);
  /** The tree on a phone stands over the lines. */
  protected readonly treeShown = signal(false);

  private readonly choice = computed(() => readChoice((name) => this.params().get(name)));
  private readonly chosenSources = computed(() => {
    const choice = this.choice();
    return this.sources.all().filter((source) => isChosen(source, choice));
  });
  protected readonly chosen = computed(() => new Set(this.chosenSources().map(({ id }) => id)));
  /** Keys of the address stand also for what is not there yet. */
  protected readonly keys = computed(
    () => {
      const choice = this.choice();
      return 'keys' in choice ? choice.keys : this.chosenSources().map(({ key }) => key);
    },
    { equal: (one, other) => one.join() === other.join() },
  );
  protected readonly rate = computed(() => this.chosenSources().reduce((sum, { rate }) => sum + rate, 0));
  protected readonly liveWords = computed(() => {
    const rate = Math.round(this.rate());
    return rate === 0
      ? 'Live'
      : `Live, ${rate.toLocaleString('en')} ${rate === 1 ? 'line' : 'lines'} a second`;
  });

  constructor() {
    this.connection.watch();
  }

  protected choose(ids: ReadonlySet<number>): void {
    const keys = this.sources
      .all()
      .filter(({ id }) => ids.has(id))
      .map(({ key }) => key);
    void this.router.navigate([], {
      queryParams: choiceParameters(keys),
      queryParamsHandling: 'merge',
      replaceUrl: true,
    });
  }
}
