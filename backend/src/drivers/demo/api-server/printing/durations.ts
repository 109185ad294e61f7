const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Limit, unit and sign, with the smaller unit if kubectl prints it. Clusters of the demo are younger than a year. */
const FORMATS = [
  [2 * MINUTE, 1, 's'],
  [10 * MINUTE, MINUTE, 'm', 1, 's'],
  [3 * HOUR, MINUTE, 'm'],
  [8 * HOUR, HOUR, 'h', MINUTE, 'm'],
  [2 * DAY, HOUR, 'h'],
  [8 * DAY, DAY, 'd', HOUR, 'h'],
  [Infinity, DAY, 'd'],
] as const;

/** A duration in the format of kubectl. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.trunc(milliseconds / 1000));
  const [, unit = DAY, sign = 'd', lesser, lesserSign] = FORMATS.find(([limit]) => seconds < limit) ?? [];
  const rest = lesser === undefined ? 0 : Math.trunc((seconds % unit) / lesser);
  return `${Math.trunc(seconds / unit)}${sign}${rest === 0 ? '' : `${rest}${lesserSign}`}`;
}

/** How long ago a moment is. */
export function since(time: string | null | undefined, now: number): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration(now - Date.parse(time));
}
