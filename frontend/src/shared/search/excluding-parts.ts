import { Component, inject, InjectionToken, input, output } from '@angular/core';
import { Api } from '../api/api';
import { formatFull, lineCount } from '../format/format';
import { ApiResource } from '../loading/api-resource';
import { PlainButton } from '../ui/plain-button';
import { chipsOf, filterParameters, type LogQuery, type SearchScope, typedText } from './log-query';

/** Of more conditions, only the last ones are tried. */
const MAX_TRIED = 8;

/** Counts the lines that a query finds; a token, because a page may hold its lines itself. */
export const COUNT_LINES = new InjectionToken<
  (query: LogQuery, scope: SearchScope, signal: AbortSignal) => Promise<number>
>('COUNT_LINES', {
  providedIn: 'root',
  factory: () => {
    const api = inject(Api);
    return async (query, scope, signal) => {
      const parameters = { ...filterParameters(query, scope), buckets: 1 };
      const counted = await api.get('/api/histogram', parameters, signal);
      return counted.buckets[0]?.total ?? 0;
    };
  },
});

/** For a search without matches: the conditions without which there are some, and that search. */
@Component({
  selector: 'sw-excluding-parts',
  imports: [PlainButton],
  template: `
    @for (part of found.value(); track part.label) {
      <p>
        <span i18n
          >Without <code>{{ part.label }}</code>: {{ lineCount(part.count) }}.</span
        >&ngsp;<button class="link" (click)="changed.emit(part.rest)" i18n>Search without it</button>
      </p>
    }
  `,
})
export class ExcludingParts {
  private readonly count = inject(COUNT_LINES);
  readonly query = input.required<LogQuery>();
  readonly scope = input.required<SearchScope>();
  readonly changed = output<LogQuery>();
  protected readonly lineCount = lineCount;

  protected readonly found = new ApiResource(
    async ({ query, scope }, signal) => {
      const parts = partsOf(query);
      if (parts.length < 2) return [];
      const counted = parts.slice(-MAX_TRIED).map(async (part) => {
        const count = await this.count(part.rest, scope, signal).catch(() => 0);
        return { ...part, count };
      });
      return (await Promise.all(counted)).filter(({ count }) => count > 0);
    },
    () => ({ query: this.query(), scope: this.scope() }),
  );
}

/** The conditions of a query that hide lines, each with the rest of the query. */
function partsOf(query: LogQuery): { label: string; rest: LogQuery }[] {
  const chips = chipsOf({ ...query, marks: [] }, formatFull).map(({ word, value, rest }) => ({
    label: `${word} ${value}`.trim(),
    rest: { ...rest, marks: query.marks },
  }));
  const text = { label: typedText(query), rest: { ...query, text: '', regex: false } };
  return query.text === '' ? chips : [...chips, text];
}
