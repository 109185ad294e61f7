import { timeText } from '../../core/values/index.js';
import type { LineBatch } from './bounded-backlog.js';
import type { PodLogEvent } from './pod-logs.dto.js';

/** NDJSON of a batch. @param source in the merged log of a workload */
export function eventsOf({ omitted, lines }: LineBatch, source?: number): string {
  const events = lines.map(({ time, level, text, cut, continues }): PodLogEvent => ({
    type: 'line',
    source,
    line: { time: timeText(time), level, text, cut, continues },
  }));
  if (omitted > 0) events.unshift({ type: 'left_out', lines: omitted });
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
