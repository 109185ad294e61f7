import { Component, computed, effect, inject, untracked } from '@angular/core';
import { Api } from '../../shared/api/api';
import type { LogStoreDto } from '../../shared/api/api-types';
import { PageVisibility } from '../../shared/browser/page-visibility';
import { dayCount, formatBytes, lineCount } from '../../shared/format/format';
import { KeptResource } from '../../shared/loading/kept-resource';
import { UI } from '../../shared/ui/ui';
import { LogStoreState } from './log-store-state';

const REFRESH_MS = 10_000;

@Component({
  selector: 'sw-storage-page',
  imports: [UI],
  templateUrl: './storage-page.html',
})
export class StoragePage {
  private readonly api = inject(Api);
  private readonly visible = inject(PageVisibility).visible;
  private readonly state = inject(LogStoreState);
  protected readonly resource = new KeptResource<LogStoreDto>(() => this.api.get('/api/log-store'));
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

  constructor() {
    effect((onCleanup) => {
      this.state.health();
      if (!this.visible()) return;
      untracked(() => this.store() && this.resource.reload());
      const timer = setInterval(() => this.resource.reload(), REFRESH_MS);
      onCleanup(() => clearInterval(timer));
    });
  }
}
