import type { NamedObject, NamesOfKind } from '../resources/index.js';

type Named = Pick<NamesOfKind['type'], 'kind' | 'plural' | 'shortNames'>;

/** Quality of a match; lower is better. */
const FIT = { exact: 0, prefix: 1, wordPrefix: 2, substring: 3 } as const;
export type Fit = (typeof FIT)[keyof typeof FIT];

/** Parts of a name, optionally with a kind. */
export class NameQuery {
  private readonly words: string[];

  constructor(text: string) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  get isEmpty(): boolean {
    return this.words.length === 0;
  }

  /** The query without the name of the kind: `web` in `deploy web` for Deployments. */
  private wordsFor({ kind, plural, shortNames }: Named): string[] {
    const names = [kind.toLowerCase(), plural, ...shortNames];
    const rest = this.words.filter((word) => !names.includes(word));
    return rest.length === 0 ? this.words : rest;
  }

  /** The matcher returns undefined for names that do not match. */
  matcher(kind: Named): (object: NamedObject) => Fit | undefined {
    const words = this.wordsFor(kind);
    const [first = ''] = words;
    return ({ namespace, name }) => {
      const own = name.toLowerCase();
      const path = `${namespace ?? ''}/${own}`;
      if (!words.every((word) => (word.includes('/') ? path.includes(word) : own.includes(word)))) {
        return undefined;
      }
      return fitOf(first.includes('/') ? path : own, first);
    };
  }
}

function fitOf(name: string, word: string): Fit {
  if (name === word) return FIT.exact;
  const place = name.indexOf(word);
  if (place === 0) return FIT.prefix;
  return /[-._:/]/.test(name[place - 1] ?? '') ? FIT.wordPrefix : FIT.substring;
}
