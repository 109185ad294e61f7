import { formatAgo } from '../format/format';

export const TIME_MODES = ['local', 'utc', 'relative'] as const;
export type TimeMode = (typeof TIME_MODES)[number];

/** The time of a line in its row: with milliseconds, or relative. @param time in microseconds */
export function lineTime(time: number, mode: TimeMode, now: number): string {
  const at = new Date(time / 1000);
  if (mode === 'relative') return formatAgo(at, now);
  if (mode === 'utc') return at.toISOString().slice(11, 23);
  const parts = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${parts.join(':')}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** Date and time with microseconds and time zone: `2026-11-21 09:37:07.482113 +01:00`. */
export function fullTime(time: number, isUtc: boolean): string {
  const at = new Date(Math.floor(time / 1000));
  const offset = isUtc ? 0 : -at.getTimezoneOffset();
  const shifted = new Date(at.getTime() + offset * 60_000).toISOString();
  const micros = String(Math.floor(time % 1000)).padStart(3, '0');
  const sign = offset < 0 ? '-' : '+';
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  const zone = isUtc ? 'UTC' : `${sign}${hours}:${minutes}`;
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 23)}${micros} ${zone}`;
}

export function lineDay(time: number, mode: TimeMode): string {
  return fullTime(time, mode === 'utc').slice(0, 10);
}
