import { Component, computed, inject, InjectionToken, input, linkedSignal, output } from '@angular/core';
import { Api, type GetResponse } from '../api/api';
import { formatCount } from '../format/format';
import { visibleText } from '../lines/ansi';
import { sameJson } from '../format/same-json';
import { ApiResource } from '../loading/api-resource';
import { PlainButton } from '../ui/plain-button';
import { filterParameters, type LogQuery, type SearchScope, withEntry } from './log-query';
import type { Completable } from './query-completion';

const PAUSE_MS = 120;

/** A condition of a query to complete, in the lines of sources that match the rest of the query. */
export interface CompletionRequest {
  query: LogQuery;
  scope: SearchScope;
  at: Completable;
}

type Completions = GetResponse<'/api/completions'>['completions'];

/** Finds completions, the most frequent first; a token, because a page may hold its lines itself. */
export const FIND_COMPLETIONS = new InjectionToken<
  (request: CompletionRequest, signal: AbortSignal) => Promise<Completions>
>('FIND_COMPLETIONS', {
  providedIn: 'root',
  factory: () => {
    const api = inject(Api);
    return async ({ query, scope, at: { before, compared, typed } }, signal) => {
      const parameters = {
        ...filterParameters(withEntry(query, before) ?? query, scope),
        ...(compared && { name: compared.name }),
        ...(typed !== '' && { begin: typed.slice(0, 200) }),
      };
      return (await api.get('/api/completions', parameters, signal)).completions;
    };
  },
});

/** Names or values that complete what is typed into the search field, with their numbers of lines. */
@Component({
  selector: 'sw-query-completions',
  imports: [PlainButton],
  template: `
    @if (offers().length > 0) {
      <div class="menu" role="listbox" id="completions" aria-label="Completions" i18n-aria-label>
        @for (offer of offers(); track offer.value) {
          <button
            role="option"
            tabindex="-1"
            [id]="idOf($index)"
            [attr.aria-selected]="$index === active()"
            [class.active]="$index === active()"
            (mousedown)="$event.preventDefault()"
            (click)="chosen.emit(offer.value)"
          >
            <span class="mono cut">{{ visibleText(offer.value) }}</span>
            <span class="tail muted num">{{ formatCount(offer.count) }}</span>
          </button>
        }
      </div>
    }
    <p class="sr-only" role="status">{{ summary() }}</p>
  `,
  styles: `
    .menu {
      position: absolute;
      z-index: 30;
      top: calc(100% + 4px);
      left: 0;
      min-width: min(22rem, 100%);
      max-width: 100%;
      max-height: min(320px, 50vh);
      overflow: auto;
    }
    .active {
      background: var(--selected);
    }
  `,
})
export class QueryCompletions {
  readonly query = input.required<LogQuery>();
  readonly scope = input.required<SearchScope>();
  readonly at = input.required<Completable>();
  /** The complete name or value. */
  readonly chosen = output<string>();

  protected readonly formatCount = formatCount;
  protected readonly visibleText = visibleText;
  private readonly found = new ApiResource(
    inject(FIND_COMPLETIONS),
    computed(() => ({ query: this.query(), scope: this.scope(), at: this.at() }), { equal: sameJson }),
    { delayMs: PAUSE_MS },
  );
  /** Empty while it is unknown, and if only what is typed already is left. */
  protected readonly offers = computed(() => {
    const offers = this.found.current() ?? [];
    return offers.length === 1 && offers[0]?.value === this.at().typed && this.at().compared ? [] : offers;
  });
  /** Index of the offer that Enter takes; null for none. */
  readonly active = linkedSignal<unknown, number | null>({ source: this.offers, computation: () => null });
  protected readonly summary = computed(() => {
    const count = this.offers().length;
    return count === 0 ? '' : $localize`Completions: ${count}:count:. Select with Down arrow.`;
  });

  readonly isOpen = computed(() => this.offers().length > 0);
  readonly activeId = computed(() => {
    const active = this.active();
    return active === null ? null : this.idOf(active);
  });

  protected idOf(index: number): string {
    return `completion-${index}`;
  }

  /** @returns whether the key was for the list */
  press({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const { length } = this.offers();
    if (length === 0 || altKey || ctrlKey || metaKey) return false;
    const active = this.active();
    if (key === 'ArrowDown') this.active.set(((active ?? -1) + 1) % length);
    else if (key === 'ArrowUp') this.active.set(((active ?? 0) + length - 1) % length);
    else if ((key === 'Enter' || key === 'Tab') && active !== null) {
      this.chosen.emit(this.offers()[active]?.value ?? '');
    } else return false;
    document.getElementById(this.activeId() ?? '')?.scrollIntoView({ block: 'nearest' });
    return true;
  }
}
