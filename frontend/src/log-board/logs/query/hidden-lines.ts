import { Component, inject, input, output } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { lineCount } from '../../../shared/format/format';
import { ApiResource } from '../../../shared/loading/api-resource';
import { PlainButton } from '../../../shared/ui/plain-button';
import { filterParameters, type LogQuery, type SearchScope } from '../../search-model/log-query';

const REFRESH_MS = 10_000;

/** Where no line is shown: which ones the scope hides, each with a button that shows them. */
@Component({
  selector: 'sw-hidden-lines',
  imports: [PlainButton],
  template: `
    @if (hidden.value(); as count) {
      <p>
        <span>{{ scopeText(count) }}</span>
        <button class="link" (click)="changed.emit({ ...query(), scope: null })" i18n>Show</button>
      </p>
    }
  `,
})
export class HiddenLines {
  private readonly api = inject(Api);
  readonly query = input.required<LogQuery>();
  /** The chosen sources in any scope. */
  readonly sources = input.required<SearchScope>();
  readonly changed = output<LogQuery>();

  protected readonly hidden = new ApiResource(
    async ({ query, sources }, signal) => {
      if (query.scope === null) return 0;
      const parameters = { ...filterParameters({ ...query, scope: null }, sources), buckets: 1 };
      const counted = await this.api.get('/api/histogram', parameters, signal).catch(() => null);
      return counted?.buckets[0]?.total ?? 0;
    },
    () => ({ query: this.query(), sources: this.sources() }),
    { refresh: { everyMs: REFRESH_MS } },
  );

  protected scopeText(count: number): string {
    return this.query().scope === 'apps'
      ? $localize`0 lines of apps; ${lineCount(count)}:lines: of the system:`
      : $localize`0 lines of the system; ${lineCount(count)}:lines: of apps:`;
  }
}
