import { Component, computed, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import { dayCount, formatBytes, formatCount, lineCount, sourceCount } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { fullName, shownState } from '../search-model/source-names';
import { Fact } from './fact';
import { LogStoreState } from './log-store-state';

const MAX_SOURCES = 10;

const REFRESH_MS = 10_000;

@Component({
  selector: 'sw-storage-page',
  imports: [Fact, RouterLink, UI],
  templateUrl: './storage-page.html',
  styles: `
    .share {
      width: 20%;
      min-width: 80px;
    }
  `,
})
export class StoragePage {
  protected readonly resource = apiResource('/api/log-store', undefined, {
    reloadOn: inject(LogStoreState).health,
    refresh: { everyMs: REFRESH_MS },
  });
  protected readonly store = this.resource.value;
  protected readonly usedPercent = computed(() => {
    const { bytes_on_disk: bytes = null, retention = null } = this.store() ?? {};
    return bytes === null || retention === null ? null : (bytes / retention.total_bytes) * 100;
  });
  protected readonly limits = computed(() => {
    const retention = this.store()?.retention;
    if (!retention) return [];
    const { total_bytes: total, bytes_per_source: ofSource, max_age_days: days } = retention;
    return [
      { name: $localize`All sources`, value: formatBytes(total), variable: 'APP_LOG_HISTORY_SIZE' },
      { name: $localize`One source`, value: formatBytes(ofSource), variable: 'APP_LOG_SOURCE_SIZE' },
      { name: $localize`Age`, value: dayCount(days), variable: 'APP_LOG_HISTORY_DAYS' },
    ];
  });
  private readonly sources = apiResource('/api/sources', undefined, { refresh: { everyMs: REFRESH_MS } });
  /** The sources with the most text, and the rest. */
  protected readonly largest = computed(() => {
    const sources = this.sources.value();
    if (!sources) return null;
    const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    const stored = sources.filter(({ bytes }) => bytes > 0).sort((one, other) => other.bytes - one.bytes);
    return {
      total,
      others: Math.max(0, stored.length - MAX_SOURCES),
      rows: stored.slice(0, MAX_SOURCES).map((source) => ({
        ...source,
        fullName: fullName(source),
        lines: formatCount(source.next_seq - source.first_seq),
        percent: (source.bytes / total) * 100,
        state: shownState(source),
      })),
    };
  });
  protected readonly sourceCount = sourceCount;
  protected readonly formatBytes = formatBytes;
  protected readonly lineCount = lineCount;
}
