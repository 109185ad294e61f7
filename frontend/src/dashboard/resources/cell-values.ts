import type { TableRowDto } from '../../shared/api/api-types';

export type Cell = TableRowDto['cells'][number];

/** Sort key of a cell. Numbers come first, then text; null comes last in both directions. */
export type SortKey = number | string | null;

const SECONDS: Readonly<Record<string, number>> = { y: 31_536_000, d: 86_400, h: 3600, m: 60, s: 1 };
const QUANTITIES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};
/** kubectl's placeholders for no value. */
const NOTHING = /^(<(none|unset|unknown|invalid|pending)>|-|)$/;
/** `12m` is read as 12 minutes: tables have many ages and hardly any milli-quantities. */
const AGE = /^(\d+[ydhms])+$/;
const SHARE = /^(\d+)\/(\d+)$/;
const QUANTITY = /^(-?\d+(?:\.\d+)?)(n|u|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$/;
/** `3 (5m ago)`: a count with the age of the last event. */
const COUNT_AND_AGE = /^(\d+) \(.+\)$/;
const PERCENT = /^(?:[a-z]+: )?(\d+(?:\.\d+)?)%\//;
/** Numbers in names are padded to this length, so that text order is number order. */
const DIGITS = 12;

/** Sort key in the natural order: `2d` after `5h`, `9/10` after `1/10`, `1Gi` after `900Mi`. */
export function sortKeyOf(cell: Cell | undefined): SortKey {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'boolean') return cell ? 1 : 0;
  const text = cell.trim();
  if (NOTHING.test(text)) return null;
  if (AGE.test(text)) return agedSeconds(text);
  const share = SHARE.exec(text);
  if (share) return shareKey(Number(share[1]), Number(share[2]));
  const quantity = QUANTITY.exec(text);
  if (quantity) return Number(quantity[1]) * (QUANTITIES[quantity[2] ?? ''] ?? 1);
  const count = COUNT_AND_AGE.exec(text) ?? PERCENT.exec(text);
  if (count) return Number(count[1]);
  return naturalKey(text);
}

/** `web-10` after `web-9`. */
export function naturalKey(text: string): string {
  return text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));
}

/** Compares sort keys. Null comes last in both directions. */
export function compareKeys(one: SortKey, other: SortKey, reversed: boolean): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  const order = compareValues(one, other);
  return reversed ? -order : order;
}

function compareValues(one: number | string, other: number | string): number {
  if (typeof one === 'number') return typeof other === 'number' ? one - other : -1;
  if (typeof other === 'number') return 1;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Orders by the ready share, then by the total. */
function shareKey(part: number, whole: number): number {
  return (whole === 0 ? 1 : part / whole) * 1e6 + Math.min(whole, 1e5);
}

/** Seconds of an age, such as `2m15s`, or of the last occurrence in `36s (x10 over 25m)`. */
export function agedSeconds(text: string): number {
  const [age = ''] = text.split(' ');
  let seconds = 0;
  for (const [, count, unit] of age.matchAll(/(?<!\d)(\d+)([ydhms])/g)) {
    seconds += Number(count) * (SECONDS[unit ?? ''] ?? 0);
  }
  return seconds;
}

/** Age in kubectl's units: `45s`, `12m`, `5h`, `3d`. */
export function shortAge(createdAt: string | null, now: number): string {
  const then = createdAt === null ? Number.NaN : Date.parse(createdAt);
  if (Number.isNaN(then)) return '–';
  const seconds = Math.max(0, Math.floor((now - then) / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  if (seconds < 730 * 86_400) return `${Math.floor(seconds / 86_400)}d`;
  return `${Math.floor(seconds / 31_536_000)}y`;
}

/** Cores, such as `0.25` for 250 millicores. Small values keep more digits. */
export function formatMillicores(millicores: number | null): string {
  if (millicores === null) return '';
  return millicores >= 10_000
    ? (millicores / 1000).toFixed(1)
    : (millicores / 1000).toFixed(millicores < 10 ? 3 : 2);
}

/** As `kubectl top` prints memory. */
export function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)}Mi`;
}

export function cellText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : String(cell);
}
