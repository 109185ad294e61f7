const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time as kubectl writes it: two units at most, and the second only while it matters. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return joined(seconds, MINUTE, 'm', 1, 's');
  if (seconds < 3 * HOUR) return `${Math.trunc(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return joined(seconds, HOUR, 'h', MINUTE, 'm');
  if (seconds < 2 * DAY) return `${Math.trunc(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return joined(seconds, DAY, 'd', HOUR, 'h');
  if (seconds < 2 * 365 * DAY) return `${Math.trunc(seconds / DAY)}d`;
  if (seconds < 8 * 365 * DAY) return joined(seconds, 365 * DAY, 'y', DAY, 'd');
  return `${Math.trunc(seconds / (365 * DAY))}y`;
}

function joined(seconds: number, unit: number, sign: string, lesser: number, lesserSign: string): string {
  const rest = Math.trunc((seconds % unit) / lesser);
  return `${Math.trunc(seconds / unit)}${sign}${rest === 0 ? '' : `${rest}${lesserSign}`}`;
}

/** How long ago a moment is. */
export function since(time: string | null | undefined, now: number): string {
  return time === undefined || time === null ? '<unknown>' : humanDuration(now - Date.parse(time));
}
