import { timeText } from '../log-lines/index.js';
import type { LogSourceDto } from './log-source.dto.js';
import type { SourceExtent } from '../../drivers/log-store/index.js';
import type { SourceEntry } from './source-entry.js';

/** The API representation of a source. @param now in milliseconds */
export function presentSource(
  { id, identity, state, reason, meter }: SourceEntry,
  extent: SourceExtent | undefined,
  now: number,
): LogSourceDto {
  return {
    id,
    key: identity.key,
    kind: identity.kind,
    runtime: identity.runtime,
    cluster: identity.cluster,
    namespace: identity.namespace,
    workload: identity.workload,
    name: identity.name,
    container: identity.container,
    role: identity.role,
    service: identity.service,
    previous: identity.previous,
    state,
    reason,
    first_seq: extent?.firstSeq ?? 1,
    next_seq: extent?.nextSeq ?? 1,
    bytes: extent?.bytes ?? 0,
    first_time: timeOrNull(extent?.firstTime),
    last_time: timeOrNull(extent?.lastTime),
    rate: meter.rate(now),
  };
}

function timeOrNull(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : timeText(time);
}
