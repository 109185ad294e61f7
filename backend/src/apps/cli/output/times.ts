const UNITS: readonly [string, number][] = [
  ['d', 24 * 3600],
  ['h', 3600],
  ['m', 60],
];

/** How long ago a time was, as kubectl prints it: `3d`, `5h`, `12m`, `40s`. */
export function ageOf(time: string, now = Date.now()): string {
  return durationOf(now - Date.parse(time));
}

/** A duration in its largest whole unit. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['s', 1];
  return `${Math.floor(seconds / length)}${unit}`;
}
