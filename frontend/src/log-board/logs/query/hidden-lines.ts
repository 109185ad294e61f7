import { Component, computed, inject, input, output } from '@angular/core';
import { Api } from '../../../shared/api/api';
import { Clock } from '../../../shared/browser/clock';
import { lineCount } from '../../../shared/format/format';
import { microseconds, rfc3339 } from '../../../shared/lines/log-line';
import { lineDay } from '../../../shared/lines/line-time';
import { ViewOptions } from '../../../shared/lines/view-options';
import { ApiResource } from '../../../shared/loading/api-resource';
import { PlainButton } from '../../../shared/ui/plain-button';
import {
  filterParameters,
  isSearch,
  type LogQuery,
  type SearchScope,
} from '../../../shared/search/log-query';
import { periodClock } from '../../../shared/search/time-input';

const REFRESH_MS = 10_000;
/** Before the last line, as much as a page shows first. */
const LEAD_MICROS = 900_000_000;

/** Where no line is shown: which ones the scope and the time range hide, each with a button that shows them. */
@Component({
  selector: 'sw-hidden-lines',
  imports: [PlainButton],
  template: `
    @if (hidden.value(); as found) {
      @if (found.count > 0) {
        <p>
          <span>{{ scopeText(found.count) }}</span>&ngsp;<button
            class="link"
            (click)="changed.emit({ ...query(), scope: null })"
            i18n
          >
            Show
          </button>
        </p>
      }
      @if (found.last; as last) {
        <p>
          <span i18n>The last line is of {{ clock()(last.time) }}.</span>&ngsp;<button
            class="link"
            (click)="changed.emit({ ...query(), from: last.from, to: last.to })"
            i18n
          >
            Show it
          </button>
        </p>
      }
    }
  `,
})
export class HiddenLines {
  private readonly api = inject(Api);
  private readonly options = inject(ViewOptions);
  private readonly now = inject(Clock).now;
  readonly query = input.required<LogQuery>();
  /** The chosen sources in any scope. */
  readonly sources = input.required<SearchScope>();
  readonly changed = output<LogQuery>();

  protected readonly clock = computed(() =>
    periodClock(this.options.time(), lineDay(this.now() * 1000, this.options.time())),
  );
  protected readonly hidden = new ApiResource(
    async ({ query, sources }, signal) => {
      const [count, last] = await Promise.all([
        this.countOutside(query, sources, signal),
        this.lastLine(query, sources, signal),
      ]);
      return { count, last };
    },
    () => ({ query: this.query(), sources: this.sources() }),
    // A search of all lines is not repeated.
    { refresh: { everyMs: REFRESH_MS, when: () => !isSearch(this.query()) } },
  );

  protected scopeText(count: number): string {
    return this.query().scope === 'apps'
      ? $localize`0 lines of apps; ${lineCount(count)}:lines: of the system:`
      : $localize`0 lines of the system; ${lineCount(count)}:lines: of apps:`;
  }

  private async countOutside(query: LogQuery, sources: SearchScope, signal: AbortSignal): Promise<number> {
    if (query.scope === null) return 0;
    const parameters = { ...filterParameters({ ...query, scope: null }, sources), buckets: 1 };
    const counted = await this.api.get('/api/histogram', parameters, signal).catch(() => null);
    return counted?.buckets[0]?.total ?? 0;
  }

  /** The newest line outside the time range, before its end if there is one, and a time range that shows it. */
  private async lastLine(
    query: LogQuery,
    sources: SearchScope,
    signal: AbortSignal,
  ): Promise<{ time: string; from: string; to: string | null } | null> {
    for (const to of query.from === null ? [] : new Set([query.to, null])) {
      const parameters = { ...filterParameters({ ...query, from: null, to }, sources), limit: 1, longest: 1 };
      const found = await this.api.get('/api/search', parameters, signal).catch(() => null);
      const time = found?.matches[0]?.time;
      if (time !== undefined) return { time, from: rfc3339(microseconds(time) - LEAD_MICROS), to };
    }
    return null;
  }
}
