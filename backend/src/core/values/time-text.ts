/** Formats microseconds since the epoch as RFC 3339 with microseconds. */
export function timeText(time: number): string {
  const milliseconds = Math.floor(time / 1000);
  const rest = String(time - milliseconds * 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`;
}

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

/** Parses RFC 3339 to microseconds since the epoch, without finer digits. Undefined if the text is invalid. */
export function readTime(text: string): number | undefined {
  const [, seconds, fraction = '', zone] = RFC_3339.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  const milliseconds = Date.parse(`${seconds}${zone}`);
  return Number.isNaN(milliseconds)
    ? undefined
    : milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

const UNITS_US: Readonly<Record<string, number>> = {
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

/** Parses how long ago a time is, such as `15m` or `7d`, to microseconds. Undefined if the text is something else. */
export function readAgo(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS_US[unit] ?? 0);
}
