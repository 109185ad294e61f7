import type { LogStoreDto } from '../../shared/api/api-types';

/** A log store that works, with what a spec is about changed. */
export function aLogStore(change: Partial<LogStoreDto> = {}): LogStoreDto {
  return {
    kind: 'embedded',
    state: 'ok',
    reason: null,
    notice: null,
    pending_bytes: 0,
    discarded_lines: 0,
    bytes_on_disk: 812_331_008,
    capabilities: { deletion: 'erase', retention: 'store', regex: 'javascript' },
    retention: { total_bytes: 2_000_000_000, bytes_per_source: 200_000_000, max_age_days: 14 },
    ...change,
  };
}
