const KIND = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** Beginnings of what regexes search for, which took quadratic time. */
const UNITS: readonly [what: string, unit: string][] = [
  ['beginnings of tokens', '-eyJ'],
  ['spaces', ' '],
  ['parentheses', '('],
  ['beginnings of keys', '-----BEGIN A-----'],
  ['words of helm', 'another operation '],
  ['addresses', 'x://x:'],
];

/** Kind configs with a key of 90 kB. */
export const LONG_KEYS = UNITS.map(
  ([what, unit]) => [what, `${KIND}"authorization:${filled(unit, 90_000)}": 1\n`] as const,
);

/** Errors of helm with 1 MB. A chart prints any text with `fail`. */
export const LONG_FAILURES = UNITS.map(
  ([what, unit]) => [what, `INSTALLATION FAILED: ${filled(unit, 1_000_000)}`] as const,
);

/** Cells of 1.5 MB, the limit of an object. */
export const LONG_CELLS = UNITS.map(([what, unit]) => [what, filled(unit, 1_500_000)] as const);

/** URLs of 15 kB. */
export const LONG_URLS = ['-eyJ', '%', '?token=', '//'].map(
  (unit) => [unit, `/api/v1/${filled(unit, 15_000)}`] as const,
);
