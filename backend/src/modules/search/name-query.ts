import type { NamedObject, NamesOfKind } from '../resources/index.js';

type Named = Pick<NamesOfKind['type'], 'kind' | 'plural' | 'shortNames'>;

/** How well a name fits; the smaller, the better: the whole name, its beginning, that of a word in it, or a part. */
const FIT = { whole: 0, beginning: 1, word: 2, part: 3 } as const;
export type Fit = (typeof FIT)[keyof typeof FIT];

/** What somebody looks for: parts of a name, and perhaps a kind among them. */
export class NameQuery {
  private readonly words: string[];

  constructor(text: string) {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  get isEmpty(): boolean {
    return this.words.length === 0;
  }

  /** The part of the query that is about names, for a kind: of `deploy web` it is `web` for deployments. */
  private wordsFor({ kind, plural, shortNames }: Named): string[] {
    const names = [kind.toLowerCase(), plural, ...shortNames];
    const rest = this.words.filter((word) => !names.includes(word));
    return rest.length === 0 ? this.words : rest;
  }

  /** Tells of the names of a kind how well they fit, or that they do not. */
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
  if (name === word) return FIT.whole;
  const place = name.indexOf(word);
  if (place === 0) return FIT.beginning;
  return /[-._:/]/.test(name[place - 1] ?? '') ? FIT.word : FIT.part;
}
