import { Component, computed, input, output } from '@angular/core';
import { formatClock, formatFull, plural } from '../../../shared/format/format';
import { Icon } from '../../../shared/ui/icon';
import type { SearchRun } from './search-run';

/** How a search goes, and the ways through what it found. */
@Component({
  selector: 'sw-found-bar',
  imports: [Icon],
  template: `
    @if (run().problem(); as problem) {
      <span class="bad" role="alert">{{ problem.message }}</span>
      @if (run().canRetry() && (all() || run().held() > 0)) {
        <button type="button" class="btn small" (click)="run().retry()">Retry</button>
      }
    } @else {
      <span role="status">{{ words() }}</span>
      <span role="status" class="unmarked">{{ unmarked() }}</span>
      @if (run().isRunning()) {
        <button type="button" class="btn small" (click)="run().halt()">Stop</button>
      }
      @if (all() && isNone()) {
        <button type="button" class="link" (click)="clear.emit()">Clear the filter</button>
      }
    }
    <span class="ways">
      @if (!run().problem()) {
        <span class="seg" role="group" aria-label="What is shown">
          <button type="button" [attr.aria-pressed]="!all()" (click)="showAll.emit(false)">Matches</button>
          <button type="button" [attr.aria-pressed]="all()" (click)="showAll.emit(true)">All lines</button>
        </span>
      }
      <button
        type="button"
        class="btn icon quiet small"
        title="Previous, Shift N"
        aria-label="Previous match"
        (click)="walk.emit(-1)"
      >
        <sw-icon name="arrow-up" />
      </button>
      <button
        type="button"
        class="btn icon quiet small"
        title="Next, N"
        aria-label="Next match"
        (click)="walk.emit(1)"
      >
        <sw-icon name="arrow-down" />
      </button>
    </span>
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      flex-wrap: wrap;
      gap: 4px 8px;
      margin-left: auto;
    }
    .bad {
      color: var(--failed-text);
    }
    .unmarked {
      color: var(--degraded-text);
      &:empty {
        display: none;
      }
    }
    .ways {
      display: inline-flex;
      align-items: center;
      gap: 8px;
    }
    .seg button {
      height: 24px;
    }
  `,
})
export class FoundBar {
  readonly run = input.required<SearchRun>();
  /** Why hits are not marked; null where they are. */
  readonly unmarked = input<string | null>(null);
  /** All lines are shown, with the matches marked. */
  readonly all = input(false);
  readonly showAll = output<boolean>();
  readonly walk = output<1 | -1>();
  readonly clear = output();
  protected readonly isNone = computed(() => this.run().held() === 0 && !this.run().isRunning());

  protected readonly words = computed(() => {
    const run = this.run();
    const count = run.held();
    const total = run.total();
    const found = plural(count, 'match', 'matches');
    if (total !== null && total > count) {
      return `${plural(total, 'match', 'matches')}, the newest ${count.toLocaleString('en')} of them here`;
    }
    const looked = plural(run.searched(), 'line');
    if (run.isRunning()) return `${found} so far, in ${looked}`;
    switch (run.reason()) {
      case 'limit':
        return `The newest ${found}: older ones come when they are looked at`;
      case 'timeout':
        return timedOut(found, run.searchedTo());
      case 'stopped':
        return `${found} until it was stopped`;
      case 'complete':
      case null:
        return `${found} in ${looked}`;
    }
  });
}

function timedOut(found: string, searchedTo: string | null): string {
  const stopped = `${found}. The search timed out.`;
  if (searchedTo === null) return stopped;
  const isToday = new Date(searchedTo).toDateString() === new Date().toDateString();
  const time = isToday ? formatClock(searchedTo) : formatFull(searchedTo);
  return `${stopped} It has searched back to ${time}.`;
}
