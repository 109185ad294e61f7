import { Component, inject, input, output } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { formatFull, lineCount } from '../../../shared/format/format';
import { ApiResource } from '../../../shared/loading/api-resource';
import { PlainButton } from '../../../shared/ui/plain-button';
import {
  chipsOf,
  filterParameters,
  type LogQuery,
  type SearchScope,
  typedText,
} from '../../../shared/search/log-query';

/** Of more conditions, only the last ones are tried. */
const MAX_TRIED = 8;

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
  private readonly api = inject(Api);
  readonly query = input.required<LogQuery>();
  readonly scope = input.required<SearchScope>();
  readonly changed = output<LogQuery>();
  protected readonly lineCount = lineCount;

  protected readonly found = new ApiResource(
    async ({ query, scope }, signal) => {
      const parts = partsOf(query);
      if (parts.length < 2) return [];
      const counted = parts.slice(-MAX_TRIED).map(async (part) => {
        const parameters = { ...filterParameters(part.rest, scope), buckets: 1 };
        const count = await this.api.get('/api/histogram', parameters, signal).catch(() => null);
        return { ...part, count: count?.buckets[0]?.total ?? 0 };
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
