import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../core/errors/index.js';
import { regexProcess, type Regex } from './match-texts.js';

/** Short texts reveal exponential backtracking, long ones cubic. */
const LENGTHS = [32, 2000] as const;
/** Characters and literals of the regex that the texts are built from. */
const MAX_SEEDS = 12;
/** Hardly any regex expects this at the end of a text, so every way to match is tried. */
const MISMATCH = '\u0001!';

/** Rejects regexes with catastrophic backtracking before they run on lines. */
@Injectable()
export class RegexCheck {
  private readonly match = regexProcess();

  /** @returns the problem as a predicate for a field error; null if valid. */
  async problemOf(regex: Regex): Promise<string | null> {
    try {
      // eslint-disable-next-line no-restricted-syntax -- Only compiled here.
      new RegExp(regex.source, regex.flags);
    } catch (error) {
      return `is not a valid regular expression: ${reasonOf(error).replace(/^Invalid regular expression: /, '')}`;
    }
    try {
      await this.match(
        regex,
        LENGTHS.flatMap((length) => hostileTexts(regex.source, length)),
      );
      return null;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return 'takes far too long for some lines: nested repetitions, such as (a+)+, cause catastrophic backtracking';
    }
  }
}

/** Texts that are slow to match: repetitions of what the regex contains, with a mismatch at the end. */
function hostileTexts(source: string, length: number): string[] {
  const seeds = seedsOf(source);
  const pairs = seeds.slice(1).map((seed, index) => (seeds[index] ?? '') + seed);
  const literals = source.split(/\\[a-zA-Z]|[\\^$.*+?()[\]{}|]/);
  const units = [
    ...seeds,
    ...pairs,
    ...literals.slice(0, MAX_SEEDS),
    seeds.join(''),
    literals.join(''),
  ].filter((unit) => unit !== '');
  return [...new Set(units)].flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [text + MISMATCH, MISMATCH + text + MISMATCH];
  });
}

/** One character of each class. */
const CLASS_MEMBERS: Readonly<Record<string, string>> = {
  d: '1',
  s: ' ',
  w: 'a',
  D: 'a',
  S: 'a',
  W: '-',
  t: '\t',
};

/** One character for each part of the regex that matches some. */
function seedsOf(source: string): string[] {
  const found = new Set<string>(['a']);
  for (const [, escaped, plain] of source.matchAll(/\\([a-zA-Z.])|([^\\^$.*+?()[\]{}|])/gs)) {
    const seed = escaped === undefined ? plain : (CLASS_MEMBERS[escaped] ?? escaped);
    if (seed !== undefined) found.add(seed);
  }
  return [...found].slice(0, MAX_SEEDS);
}
