const MINUTE_MS = 60_000;
/** Far enough to find a schedule of once a month. */
const MOST_MINUTES = 32 * 24 * 60;
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const NAMED: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

/** Whether a schedule can be read: five fields of numbers, ranges, lists and steps, or a name such as `@daily`. */
export function isCronSchedule(schedule: string): boolean {
  return fieldsOf(schedule) !== undefined;
}

/**
 * The next times of a schedule after a moment, or (for a negative count) the last ones before it; in UTC,
 * as kube-controller-manager runs. Milliseconds, ascending.
 */
export function cronTimes(schedule: string, from: number, count: number): number[] {
  const fields = fieldsOf(schedule);
  if (!fields) return [];
  const found: number[] = [];
  const step = count < 0 ? -1 : 1;
  const begin = Math.floor(from / MINUTE_MS) + (count < 0 ? 0 : 1);
  for (let passed = 0; passed < MOST_MINUTES && found.length < Math.abs(count); passed += 1) {
    const minute = (begin + step * passed) * MINUTE_MS;
    if (isDue(fields, new Date(minute))) found.push(minute);
  }
  return found.sort((one, other) => one - other);
}

function isDue([minutes, hours, days, months, weekdays]: Fields, date: Date): boolean {
  return (
    minutes.has(date.getUTCMinutes()) &&
    hours.has(date.getUTCHours()) &&
    days.has(date.getUTCDate()) &&
    months.has(date.getUTCMonth() + 1) &&
    weekdays.has(date.getUTCDay())
  );
}

type Fields = [Set<number>, Set<number>, Set<number>, Set<number>, Set<number>];

function fieldsOf(schedule: string): Fields | undefined {
  const parts = (NAMED[schedule] ?? schedule).trim().split(/\s+/);
  if (parts.length !== RANGES.length) return undefined;
  const sets = parts.map((part, index) => valuesOf(part, RANGES[index] ?? [0, 0]));
  return sets.some((set) => set.size === 0) ? undefined : (sets as Fields);
}

function valuesOf(part: string, [least, most]: readonly [number, number]): Set<number> {
  const values = new Set<number>();
  for (const piece of part.split(',')) {
    const [, from, to, every = '1'] = /^(\*|\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(piece) ?? [];
    if (from === undefined) return new Set();
    const first = from === '*' ? least : Number(from);
    const open = from === '*' || piece.includes('/');
    const last = to !== undefined ? Number(to) : open ? most : first;
    if (first < least || last > most || Number(every) === 0) return new Set();
    for (let value = first; value <= last; value += Number(every)) values.add(value);
  }
  return values;
}
