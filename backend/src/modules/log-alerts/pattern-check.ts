import { Injectable } from '@nestjs/common';
import type { Pattern } from './line-match.js';
import { PatternRefused, PatternStopped, PatternThread } from './pattern-thread.js';

/** What the nasty texts of one length may take together. A sound expression needs a few milliseconds. */
const LIMIT_MS = 1000;
/** Short ones show what grows by doubling, long ones what grows with the cube. */
const LENGTHS = [32, 2000] as const;
/** Characters of the expression that are tried. */
const MOST_SEEDS = 12;
/** Ends in what hardly any expression expects, so that every way to match is tried. */
const END = '\u0001!';

/** Tries regular expressions out before they are let at lines. */
@Injectable()
export class PatternCheck {
  private last: Promise<unknown> = Promise.resolve();

  /** Why a regular expression cannot be a rule's, as it continues "it …"; null where it can. One after the other. */
  problemOf(pattern: Pattern): Promise<string | null> {
    const next = this.last.then(() => this.tryOut(pattern));
    this.last = next.catch(() => undefined);
    return next;
  }

  private async tryOut(pattern: Pattern): Promise<string | null> {
    const thread = new PatternThread();
    try {
      for (const length of LENGTHS) {
        await thread.match(pattern, nastyTexts(pattern.source, length), LIMIT_MS);
      }
      return null;
    } catch (error) {
      if (error instanceof PatternRefused) {
        return `is no regular expression: ${error.message.replace(/^Invalid regular expression: /, '')}`;
      }
      if (error instanceof PatternStopped) {
        return 'takes far too long for some lines: repetitions within repetitions, as in (a+)+, try every way to share a text out';
      }
      throw error;
    } finally {
      await thread.end();
    }
  }
}

/** Texts that would cost most: what the expression itself speaks of, again and again, and then not its end. */
export function nastyTexts(source: string, length: number): string[] {
  const seeds = seedsOf(source);
  const pairs = seeds.slice(1).map((seed, index) => (seeds[index] ?? '') + seed);
  const words = source.split(/\\[a-zA-Z]|[\\^$.*+?()[\]{}|]/);
  const units = [...seeds, ...pairs, ...words.slice(0, MOST_SEEDS), seeds.join(''), words.join('')].filter(
    (unit) => unit !== '',
  );
  return [...new Set(units)].flatMap((unit) => {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
    return [text + END, END + text + END];
  });
}

/** A character of each class. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  d: '1',
  s: ' ',
  w: 'a',
  D: 'a',
  S: 'a',
  W: '-',
  t: '\t',
};

/** A character for each part of an expression that stands for some. */
function seedsOf(source: string): string[] {
  const found = new Set<string>(['a']);
  for (const [, escaped, plain] of source.matchAll(/\\([a-zA-Z.])|([^\\^$.*+?()[\]{}|])/gs)) {
    const seed = escaped === undefined ? plain : (STANDS_FOR[escaped] ?? escaped);
    if (seed !== undefined) found.add(seed);
  }
  return [...found].slice(0, MOST_SEEDS);
}
