import { cpuTimeOf } from '../cpu-time.js';

/** Characters that patterns repeat or exclude. */
const SEEDS = [' ', 'a', '0', '-', '.', '(', '"', '\n'];
/** Words of a pattern that texts begin with. */
const MAX_WORDS = 5;
/** A text of 64 kB that is matched in quadratic time takes tens of milliseconds at least. */
const CERTAINLY_LINEAR_MS = 3;
const ATTEMPTS = 3;

type TextOf = (length: number) => string;

/** Texts that begin like a match of a regex and continue with repetitions. */
function textsFor({ source }: RegExp): TextOf[] {
  const words = source
    .split(/\\.|\(\?(?:<?[=!]|:)|\{[^}]*\}|[\\^$.*+?()[\]|,]/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  const prefixes = ['', ...words, ...words.map((word) => `${word}:`), ...words.map((word) => `-${word}`)];
  return [...new Set(prefixes)].flatMap((prefix) =>
    SEEDS.flatMap((seed): TextOf[] => [
      (length) => (prefix + seed).repeat(Math.ceil(length / (prefix.length + 1))).slice(0, length),
      (length) => prefix + seed.repeat(length - prefix.length),
    ]),
  );
}

function isSlow(regex: RegExp, textOf: TextOf, length: number): boolean {
  const text = textOf(length);
  if (cpuTimeOf(() => text.replace(regex, '')) <= CERTAINLY_LINEAR_MS) return false;
  const texts = [textOf(length / 2), text];
  // The shortest times: what else the process does only adds to them.
  const shortest = [Infinity, Infinity] as [number, number];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    for (const [index, each] of texts.entries()) {
      const time = cpuTimeOf(() => each.replace(regex, ''));
      shortest[index] = Math.min(shortest[index] ?? Infinity, time);
    }
    // No garbage collection takes that long.
    if (shortest[1] > 500) return true;
  }
  const [half, whole] = shortest;
  return whole > CERTAINLY_LINEAR_MS && whole > 2.5 * half;
}

/** @returns the beginning of a text that takes more than 2.5 times as long as one of half its length; undefined if none does. */
export function slowTextFor(regex: RegExp, length = 65_536): string | undefined {
  return textsFor(regex)
    .find((textOf) => isSlow(regex, textOf, length))?.(length)
    .slice(0, 40);
}
