import { fullTime, lineDay, type TimeMode } from '../lines/line-time';

/** The value of a `datetime-local` input in the time zone of the rows. @param time in milliseconds */
export function timeInputValue(time: number, mode: TimeMode): string {
  return secondsOf(time, mode).replace(' ', 'T');
}

/** Milliseconds since the epoch for the value of such an input; NaN if invalid. */
export function parseTimeInput(text: string, mode: TimeMode): number {
  return Date.parse(mode === 'utc' ? `${text}Z` : text);
}

/**
 * Formats the ends of a period in the time zone of the rows: the time of day, with the date unless it is that of
 * today or of `previous`.
 * @param today from `lineDay`
 */
export function periodClock(mode: TimeMode, today: string): (time: string, previous?: string) => string {
  return (time, previous) => {
    const at = Date.parse(time);
    if (Number.isNaN(at)) return '–';
    const near = previous === undefined ? today : lineDay(Date.parse(previous) * 1000, mode);
    const text = secondsOf(at, mode);
    return text.startsWith(near) ? text.slice(near.length + 1) : text;
  };
}

function secondsOf(time: number, mode: TimeMode): string {
  return fullTime(time * 1000, mode === 'utc').slice(0, 'yyyy-mm-dd hh:mm:ss'.length);
}
