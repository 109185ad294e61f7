import type { AlertPreviewDto } from '../../shared/api/api-types';
import { formatAgo, formatElapsed, lineCount, plural } from '../../shared/format/format';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

const timesCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`Would have fired once`,
    other: $localize`Would have fired ${n}:count: times`,
  }));

/** How often an alert would have fired, and how much of the history that covers. */
export function previewText(
  { fired, lines, since, reason, last_fired_at }: AlertPreviewDto,
  now: number,
): string {
  if (since === null) {
    return $localize`How often it would have fired is unknown: the search in the history took too long.`;
  }
  const isDay = now - Date.parse(since) > DAY_MS - MINUTE_MS;
  const span = isDay
    ? $localize`in the last 24 hours`
    : $localize`in the last ${formatElapsed(now - Date.parse(since))}:duration:`;
  const count = fired === 0 ? $localize`Would not have fired` : timesCount(fired);
  const last = last_fired_at === null ? '' : $localize`, last ${formatAgo(last_fired_at, now)}:time:`;
  const text = $localize`${count}:count: ${span}:span:${last}:last: (${lineCount(lines)}:lines:).`;
  if (reason === 'limit') return $localize`${text}:text: There are too many lines to check earlier ones.`;
  if (reason === 'timeout') return $localize`${text}:text: Earlier lines could not be searched in time.`;
  return isDay ? text : $localize`${text}:text: Earlier lines are not stored.`;
}
