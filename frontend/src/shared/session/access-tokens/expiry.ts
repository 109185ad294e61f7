import { formatDay } from '../../format/format';

const DAY_MS = 24 * 3600_000;
/** The server accepts 366 days; a date here means the end of that day. */
const LAST_DAY = 365;

/** Validity of a token: a number of days, or until a date. */
export const EXPIRIES = [
  { value: '7', text: $localize`7 days` },
  { value: '30', text: $localize`30 days` },
  { value: '90', text: $localize`90 days` },
  { value: '365', text: $localize`1 year` },
  { value: 'date', text: $localize`Custom date` },
] as const;

export type Expiry = (typeof EXPIRIES)[number]['value'];

/** The end of a token as the API takes it; null for a date that is missing, past or more than a year away. */
export function expiresAt(expiry: Expiry, date: string, now: number): string | null {
  if (expiry !== 'date') return new Date(now + Number(expiry) * DAY_MS).toISOString();
  // A date with a time and no zone is in the browser's time zone: the whole day counts.
  const end = Date.parse(`${date}T23:59:59`);
  if (Number.isNaN(end) || end <= now || formatDay(end) > lastDate(now)) return null;
  return new Date(end).toISOString();
}

/** The first date that can be chosen, as `YYYY-MM-DD`. */
export function firstDate(now: number): string {
  return formatDay(now + DAY_MS);
}

export function lastDate(now: number): string {
  return formatDay(now + LAST_DAY * DAY_MS);
}
