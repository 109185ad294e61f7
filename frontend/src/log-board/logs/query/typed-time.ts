import { fullTime, lineDay, type TimeMode } from '../../../shared/lines/line-time';

/** What a field for a date and a time of day shows for a moment, in the zone of the rows. @param time in milliseconds */
export function fieldText(time: number, mode: TimeMode): string {
  return secondsOf(time, mode).replace(' ', 'T');
}

/** Milliseconds since the epoch for what such a field holds, NaN for what is no time. */
export function fieldTime(text: string, mode: TimeMode): number {
  return Date.parse(mode === 'utc' ? `${text}Z` : text);
}

/**
 * Says the ends of a period in the zone of the rows: the time of day, with its date where that is not today, nor what
 * was said just before.
 *
 * @param today as `lineDay` has it
 */
export function periodClock(mode: TimeMode, today: string): (time: string, said?: string) => string {
  return (time, said) => {
    const at = Date.parse(time);
    if (Number.isNaN(at)) return '–';
    const near = said === undefined ? today : lineDay(Date.parse(said) * 1000, mode);
    const words = secondsOf(at, mode);
    return words.startsWith(near) ? words.slice(near.length + 1) : words;
  };
}

function secondsOf(time: number, mode: TimeMode): string {
  return fullTime(time * 1000, mode === 'utc').slice(0, 'yyyy-mm-dd hh:mm:ss'.length);
}
