import { Component, computed, inject } from '@angular/core';
import { dayCount, formatBytes, lineCount } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { LogStoreState } from './log-store-state';

const REFRESH_MS = 10_000;

@Component({
  selector: 'sw-storage-page',
  imports: [UI],
  templateUrl: './storage-page.html',
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
  protected readonly formatBytes = formatBytes;
  protected readonly lineCount = lineCount;
}
