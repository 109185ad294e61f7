import { Component, computed, input, output } from '@angular/core';
import { formatClock, formatCount, formatFull, lineCount, matchCount } from '../../../shared/format/format';
import { IconButton } from '../../../shared/ui/icon-button';
import type { SearchRun } from './search-run';
import { PlainButton } from '../../../shared/ui/plain-button';

@Component({
  selector: 'sw-search-status',
  imports: [IconButton, PlainButton],
  template: `
    @if (run().problem(); as problem) {
      <span class="error-text" role="alert" [class.sr-only]="!hasLines()">{{ problem.message }}</span>
      @if (run().canRetry() && hasLines()) {
        <button class="btn small" (click)="run().retry()" i18n>Retry</button>
      }
    } @else {
      <span role="status">{{ text() }}</span>
      <span role="status" class="warning-text">{{ unmarked() }}</span>
      @if (run().isRunning()) {
        <button class="btn small" (click)="run().stop()" i18n>Stop</button>
      }
      @if (all() && run().held() === 0 && !run().isRunning()) {
        <button class="link" (click)="clear.emit()" i18n>Clear filter</button>
      }
    }
    <span class="flow end">
      @if (!run().problem()) {
        <span class="seg" role="group" aria-label="View" i18n-aria-label>
          <button [attr.aria-pressed]="!all()" (click)="showAll.emit(false)" i18n>Matches</button>
          <button [attr.aria-pressed]="all()" (click)="showAll.emit(true)" i18n>All lines</button>
        </span>
      }
      <button
        swIconButton="arrow-up"
        label="Previous match"
        i18n-label
        title="Previous match (Shift N)"
        i18n-title
        (click)="walk.emit(-1)"
      ></button>
      <button
        swIconButton="arrow-down"
        label="Next match"
        i18n-label
        title="Next match (N)"
        i18n-title
        (click)="walk.emit(1)"
      ></button>
    </span>
  `,
  styles: `
    .seg button {
      height: 24px;
    }
  `,
  host: { class: 'flow tight end' },
})
export class SearchStatus {
  readonly run = input.required<SearchRun>();
  /** Why matches are not marked; null if they are. */
  readonly unmarked = input<string | null>(null);
  /** All lines are shown, not only the matches. */
  readonly all = input(false);
  readonly showAll = output<boolean>();
  readonly walk = output<1 | -1>();
  readonly clear = output();
  /** Without lines, the page shows the problem in their place. */
  protected readonly hasLines = computed(() => this.all() || this.run().held() > 0);

  protected readonly text = computed(() => {
    const run = this.run();
    const count = run.held();
    const total = run.total();
    const matches = matchCount(count);
    if (total !== null && total > count) {
      return $localize`${matchCount(total)}:matches:, latest ${formatCount(count)}:count: loaded`;
    }
    const searched = lineCount(run.searched());
    if (run.isRunning()) return $localize`${matches}:matches: so far in ${searched}:lines:`;
    switch (run.reason()) {
      case 'limit':
        return $localize`Latest ${matches}:matches:; scroll up to load older ones`;
      case 'timeout':
        return timedOut(matches, run.searchedTo());
      case 'stopped':
        return $localize`${matches}:matches: before the search was stopped`;
      case 'complete':
      case null:
        return $localize`${matches}:matches: in ${searched}:lines:`;
    }
  });
}

function timedOut(matches: string, searchedTo: string | null): string {
  const stopped = $localize`${matches}:matches:. The search timed out.`;
  if (searchedTo === null) return stopped;
  const isToday = new Date(searchedTo).toDateString() === new Date().toDateString();
  const time = isToday ? formatClock(searchedTo) : formatFull(searchedTo);
  return $localize`${stopped}:result: Searched back to ${time}:time:.`;
}
